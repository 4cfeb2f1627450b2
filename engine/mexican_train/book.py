"""The rules of Mexican Train as the referee cites them; RULES.md has them in full."""

from engine.core import rule_book

RULE_BOOK = rule_book(
    ("match", "A tile must match the end of the train that it is laid on.", "RULES.md, 3.2."),
    ("train", "A seat lays on its own train, on the Mexican train, and where a marker lies.", "RULES.md, 3.1 and 3.3."),
    ("mexican", "In one's first turn of a round nothing is laid on the Mexican train.", "RULES.md, 3.4, where so agreed."),
    ("double", "An open double must be covered before a tile is laid anywhere else.", "RULES.md, 5.2 and 5.3."),
    ("first-train", "In the first turn more tiles are laid on the own train only.", "RULES.md, 4.5, where so agreed."),
    ("must-play", "Who can lay a tile must.", "RULES.md, 4.2."),
    ("must-draw", "Who cannot lay draws a tile while the boneyard has some, and only then passes.", "RULES.md, 4.3."),
    ("one-draw", "One tile is drawn; who then still cannot lay passes.", "RULES.md, 4.3 and 4.4."),
    ("boneyard-empty", "From an empty boneyard nothing is drawn.", "RULES.md, 4.4."),
    ("marker", "Who passes puts the marker at the own train, which is then open to all.", "RULES.md, 4.4."),
    ("nothing-to-end", "A turn ends by itself, but in the first one where more tiles may be laid.", "RULES.md, 4.5."),
    ("not-your-tile", "A seat lays tiles from its own hand.", "RULES.md, 2.2."),
    ("not-in-set", "There are only the tiles of the set.", "RULES.md, 1.1."),
    ("revoke", "A seat that drew or passed held no tile that could be laid then.", "RULES.md, 4.2 and 4.3."),
    ("deal", "Everybody takes the same number of tiles; the rest is the boneyard, the engine lies in the middle.",
     "RULES.md, 2.1 and 2.2."),
    ("starter", "The seat on the left of who began before begins, or who went out.", "RULES.md, 2.3."),
    ("no-deal", "Tiles are dealt only at the start of a round.", "RULES.md, 2."),
    ("show", "At the end of a round the hands are shown; every tile is in one place.", "RULES.md, 6.3."),
    ("out", "Who lays the last tile ends the round.", "RULES.md, 6.1."),
    ("blocked", "The round ends when the boneyard is empty and all have passed in a row.", "RULES.md, 6.2."),
    ("score", "The pips left in the hand count, the double blank as 50; the fewest after the last round win.",
     "RULES.md, 6.3 and 6.4."),
    ("game-over", "The game is over.", "RULES.md, 6.4."),
    ("chance-first", "First the tiles have to be dealt or shown.", "RULES.md, 2 and 6.3."),
    ("other-game", "That is an action of another game.", "RULES.md, 4."),
)
