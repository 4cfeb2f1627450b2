"""The table over time: which pieces lie where, what hides them, and what changed since it was last still."""
