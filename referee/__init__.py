"""From what the camera saw to what was played: readings, decisions, the journal and the running table."""
