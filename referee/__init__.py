"""From what the camera sees to what was played: readers of each game, decoder, journal. Nothing here yet."""
