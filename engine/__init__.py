"""Pieces, rules, scores and hints: pure Python, no input or output, no clock, no chance of its own."""
