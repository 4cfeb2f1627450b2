"""The table page: what a running game looks like to phones and screens, and what they may do about it."""
