"""The guide: what to buy, how to place it, how each game lies before a camera, and where Kibitz errs.

The page /guide and docs/guide.md (`cli/guide.py`) are made of these sentences; the pictures are made-up tables
(`python -m trials.guide`).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.games import GAMES
from engine.words import say
from webui.live.games import FACES


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the guide: its title, and what it says, point by point."""

    title: str
    points: tuple[tuple[str, str], ...]


BUYING = Section(say("What to buy"), (
    (say("Nothing, to begin with"),
     say("Every game can be entered by hand on a phone or a laptop, and a phone or a tablet can be the camera.")),
    (say("A camera"),
     say("A usual USB webcam with 1920 by 1080 pixels, whose focus stays where it is once it is sharp. More pixels read small "
         "tiles and large tables better; more pictures a second are of no use.")),
    (say("A stand"),
     say("An arm that clamps to the table’s edge or stands on the floor, and holds the camera still about 90 cm above the middle "
         "of the table. A stand that trembles when somebody leans on the table is the commonest trouble.")),
    (say("Light"),
     say("Two lamps from two sides, or one large one, high up: bright enough to read by, and out of the camera’s mirror image in "
         "the tiles. A bulb straight above glossy tiles hides their pips.")),
    (say("A cloth"),
     say("Plain, not shiny, and darker or lighter than the tiles. White tiles on a white cloth, or black ones on black, are hard "
         "to see for people too.")),
    (say("A printer"),
     say("The four tags for the corners of the table, and for Euronimoes and Dominoids a mat. "
         "Print them at 100 %, on plain paper.")),
))  # fmt: skip

PLACING = Section(say("How to place it"), (
    (say("From above"),
     say("The camera looks down, or leans a little from a long side. The more it leans, the more tiles hide each other.")),
    (say("The whole table"),
     say("All that is played on is in the picture, with a hand’s width around it, and the tiles are as large as that allows.")),
    (say("The tags"),
     say("Lay one flat near each corner of the table, in any order. Kibitz measures the table by them, and notices when the "
         "camera was pushed.")),
    (say("Pieces of your own"),
     say("Coins, dice and pawns differ from set to set. Dominoids is played with them: Set up asks you to show yours once, row "
         "after row, and they stay known at this table.")),
    (say("Then leave it alone"),
     say("After a bump Kibitz finds the table again by itself, mostly within seconds; after a greater one, measure "
         "anew in Set up.")),
))  # fmt: skip

PLAYING = Section(say("How to play before it"), (
    (say("Take your hands away"),
     say("Kibitz looks when the table has come to rest: after a play, let it see the tiles for a second.")),
    (say("One play after another"),
     say("Two that are made at once can often be told apart, but not always; then it asks.")),
    (say("Hands stay hidden"),
     say("Tiles on a rack or face down are nobody’s business. Your own phone can read them, for your hints.")),
    (say("Say what it cannot see"),
     say("On the page every play can be entered, changed and taken back; the camera goes on from there.")),
))  # fmt: skip

ERRING = Section(say("Where Kibitz errs"), (
    (say("Small or far away"),
     say("Small tiles far away are easily misread: Set up says so, and by how much the camera should come nearer.")),
    (say("Glare and dusk"),
     say("A lamp that mirrors in a tile hides its pips. In dim light pictures are noisy, and dark pips on dark tiles go.")),
    (say("White on black"),
     say("A camera sets itself by all it sees: on a dark cloth white tiles and dice come out white, and their marks drown. "
         "Kibitz then asks for less light, if the camera is a webcam under Linux or an Android phone with Chrome. No other "
         "camera listens: there take a lighter cloth.")),
    (say("Double blanks"),
     say("A double blank without a line in its middle looks like the back of a tile. If both lie about, it may ask.")),
    (say("Tiles upon tiles"),
     say("What lies under another tile is remembered, not seen: if somebody changes it behind a hand, nobody knows.")),
    (say("Resting hands"),
     say("A hand that lies on the table for long may pass for a part of it, and what is under it for gone.")),
    (say("Numerals and signs"),
     say("Dots of any colour are read; numerals, pictures and letters instead of dots are not.")),
    (say("It is young"),
     say("It was tried on photographs and on simulated tables, hardly on tables like yours yet. When in doubt it asks.")),
))  # fmt: skip

LYING = say("How each game lies before it")
MADE_UP = say("The pictures are of made-up tables, as a camera about 90 cm above them sees them.")


@dataclass(frozen=True, slots=True)
class Laid:
    """How a game lies before a camera. picture: its file among the static ones."""

    title: str
    words: str
    picture: str


def games_laid() -> list[Laid]:
    """All games."""
    return [Laid(kind.TITLE, FACES[name].lies, f"guide/{name}.webp") for name, kind in GAMES.items()]
