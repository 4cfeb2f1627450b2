"""How each game lies on the table: its own coordinates, what to expect, and what may have been played."""
