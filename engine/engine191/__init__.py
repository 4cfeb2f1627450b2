"""Engine 191: train lines from a main station, stations to complete, a score yard, and three rounds to win."""
