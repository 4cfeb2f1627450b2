"""The commands, one file a family; each command imports what it alone needs."""
