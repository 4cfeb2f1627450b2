"""The product tried against the truth: whole games, tables, pieces and calibrations that the simulator makes, and its speed."""
