"""Hints: which action serves a seat best, by what that seat knows and by nothing else."""
