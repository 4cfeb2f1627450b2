"""The rules of the line games as the referee cites them: id, sentence, source passage."""

COMMON = (
    ("match", "A tile must match the open end it is laid against.",
     "Domino basics: in order to be played, one end of the tile must match the free or open end of a previously "
     "played domino."),
    ("open-end", "The end laid against the line must fit; the other end stays open.",
     "Domino basics: the end of the domino that does not touch another domino is the open end."),
    ("arm", "Tiles are played only on open ends of the line.", "Domino basics: adding a tile to an open end."),
    ("out-of-turn", "The turn goes round clockwise, one play each.",
     "Block & Draw: the player with the highest double begins the game, and play continues clockwise."),
    ("not-your-tile", "A seat plays tiles from its own hand.",
     "Domino basics: the hand is the dominoes a player is responsible for playing."),
    ("not-in-set", "Only tiles of the set in play exist.", "Domino basics: each combination of pips occurs only once in a set."),
    ("deal", "Everybody takes the same number of tiles; the rest is the boneyard.",
     "Domino basics: the number of tiles drawn depends on the game being played."),
    ("no-deal", "Tiles are dealt only at the start of a round.", "Domino basics: shuffling before every game."),
    ("show", "At the end of a round the hands are shown; every tile is in one place.",
     "Domino basics: there are no duplicate dominoes within a set."),
    ("domino", "Who plays the last tile wins the pips of all opponents.",
     "Ending the game: the winning player earns the pip total of their opponents' remaining dominoes. Ruling C2."),
    ("goal", "The first with 100 points or more wins; a tie is played on.",
     "Ending the game: the first player to reach 100 wins the game. Ruling C11."),
    ("game-over", "The game is over.", "Ending the game."),
    ("chance-first", "First the tiles have to be dealt or shown.", "Domino basics: shuffling."),
    ("other-game", "That is an action of another game.", "Each game names its own plays."),
)

LEADING = (
    ("lead", "The highest double leads and lies in the middle.",
     "Block & Draw: the player with the highest double begins the game, by placing their domino in the center. Rulings C5, C6."),
    ("redeal", "If nobody has a double, all tiles are dealt again.",
     "Block & Draw: if no double is drawn, all the tiles are returned to the boneyard, reshuffled, and redrawn. Ruling C5."),
)

DRAWING = (
    ("must-play", "Who can play must play.", "Block & Draw: a player must play a domino if they are able to do so. Ruling C8."),
    ("must-draw", "Who cannot play draws until a tile fits or the boneyard is empty.",
     "Block & Draw: they must draw from the boneyard until they have drawn a tile to play. Ruling C8."),
    ("boneyard-empty", "From an empty boneyard nothing is drawn: who cannot play passes.",
     "Block & Draw: if the player draws all the tiles and still cannot play, they may say pass. Ruling C10."),
    ("revoke", "A seat that drew or passed held no tile that fitted then.", "Rulings C9, C14 and H2."),
)

BLOCKED = (
    ("blocked", "When all pass in a row, the lowest hand wins the difference to the others' pips.",
     "Ending the game: if the round is blocked, the player with the lowest pip total wins and scores their opponent's "
     "points minus their own. Rulings C3, C4, C10."),
)
