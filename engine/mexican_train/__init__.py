"""Mexican Train: a train for every seat and one for all, from an engine in the middle; the rules stand in RULES.md beside."""
