"""Where people lay the pieces of each game: from an engine state to the things on the table, in millimetres."""
