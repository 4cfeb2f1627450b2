"""Euronimoes: a market of tiles, chips, and a grid of one's own where runs and levels count."""
