"""Dominoids: two-celled creatures that slide, turn, eat, attack and breed on a piecepack board."""
