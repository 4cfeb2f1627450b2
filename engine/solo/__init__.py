"""The three games for one player in the booklet: Knock-Out, Domino Elimination and Domino Solitaire."""
