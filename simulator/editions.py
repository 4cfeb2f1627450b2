"""Piecepack sets and game chips as different makers sell them: colours, marks, materials, sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.marks import Mark, fonts
from simulator.noise import between, chance

Colour = NDArray[np.float32]

SUITS = ("suns", "moons", "crowns", "arms")
VALUES = ("null", "ace", "2", "3", "4", "5")

CHIP_COLOURS: dict[str, tuple[float, float, float]] = {  # BGR, in the middle of what people call so
    "white": (0.9, 0.92, 0.93),
    "red": (0.13, 0.12, 0.76),
    "blue": (0.68, 0.3, 0.1),
    "green": (0.22, 0.5, 0.09),
    "black": (0.1, 0.1, 0.1),
    "yellow": (0.1, 0.8, 0.95),
    "orange": (0.08, 0.42, 0.93),
    "purple": (0.55, 0.16, 0.42),
    "pink": (0.62, 0.5, 0.93),
    "grey": (0.5, 0.5, 0.5),
    "brown": (0.12, 0.22, 0.4),
}


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One set. Lengths in millimetres, colours BGR 0..1, suits and values in the order of `SUITS` and `VALUES`.

    canonical: whether its marks mean to everybody what they mean here; where not, it must be learnt.
    values: what coins show, None for nothing. faces: the same on dice, where `suit` stands for the suit's symbol.
    filled: whether the suit side is painted all over in the suit's colour. direction: line, dot, triangle, arc or none.
    chip_spots: 0 for plain chips. pawn: peg, cone, cylinder, ball or meeple.
    """

    name: str
    canonical: bool
    suits: tuple[Mark, ...]
    suit_colours: NDArray[np.float32]  # (4, 3)
    values: tuple[Mark | None, ...]
    faces: tuple[Mark | None, ...]
    coin_body: Colour
    suit_body: Colour
    grain: str  # plain, wood, speckle
    filled: bool
    value_ink: Colour
    mark_size: float  # of a coin's mark, as a part of its diameter
    rim: float  # width of a printed ring near the coin's edge, 0 for none
    direction: str
    direction_ink: Colour | None  # None: the ink of the mark
    die_bodies: NDArray[np.float32]  # (4, 3)
    die_inks: NDArray[np.float32]  # (4, 3)
    die_mark: float  # of a face's mark, as a part of its side
    die_corner: float
    pawn: str
    pawn_colours: NDArray[np.float32]  # (4, 3)
    chips: tuple[str, ...]
    chip_colours: NDArray[np.float32]
    chip_spots: int
    chip_inlay: float  # radius of a paper inlay, as a part of the chip's, 0 for none
    coin_mm: tuple[float, float]  # diameter, thickness
    die_mm: float
    pawn_mm: tuple[float, float]  # diameter, height
    chip_mm: tuple[float, float]
    tile_mm: tuple[float, float]  # side, thickness
    tile_back: str  # cross, checkered, plain
    tile_body: Colour
    gloss: float


def _hsv(hue: float, saturation: float, value: float) -> Colour:
    pixel = np.array([[[hue % 180, np.clip(saturation, 0, 255), np.clip(value, 0, 255)]]], np.uint8)
    return (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255).astype(np.float32)


def _near(colour: tuple[float, float, float] | Colour, spread: float, rng: np.random.Generator) -> Colour:
    return np.clip(
        np.asarray(colour) * np.exp(rng.normal(0, spread)) + rng.normal(0, spread * 0.35, 3), 0.02, 0.98
    ).astype(np.float32)


def _usual_colours(rng: np.random.Generator) -> NDArray[np.float32]:
    """Red suns, black moons, green or yellow crowns, blue arms, as bright or dark as inks come."""
    red = _hsv(between(rng, -7, 7), between(rng, 170, 255), between(rng, 115, 240))
    black = np.full(3, between(rng, 0.02, 0.2), np.float32)
    if chance(rng, 0.68):
        crown = _hsv(between(rng, 45, 82), between(rng, 130, 255), between(rng, 85, 200))
    else:
        crown = _hsv(between(rng, 19, 31), between(rng, 160, 255), between(rng, 180, 250))
    blue = _hsv(between(rng, 98, 122), between(rng, 150, 255), between(rng, 105, 235))
    if chance(rng, 0.12):
        red = _hsv(between(rng, 7, 14), 235, between(rng, 190, 245))  # vermilion, orange
    return np.stack([red, black, crown, blue])


def _apart(rng: np.random.Generator, count: int, least: float) -> NDArray[np.float32]:
    """Colours that people tell apart: at least `least` from each other in Lab."""
    for _ in range(200):
        bgr = rng.uniform(0.03, 0.97, (count, 3)).astype(np.float32)
        lab = cv2.cvtColor(bgr[None], cv2.COLOR_BGR2Lab)[0]
        if np.linalg.norm(lab[:, None] - lab[None], axis=2)[np.triu_indices(count, 1)].min() > least:
            break
    return bgr


def _marks(rng: np.random.Generator) -> tuple[tuple[Mark, ...], bool]:
    """The four suits' symbols, and whether they are the usual ones."""
    stretch, hollow = between(rng, 0.85, 1.1), chance(rng, 0.06)
    if chance(rng, 0.68):
        arms = str(rng.choice(["fleur", "anchor", "shield", "swords"], p=[0.6, 0.18, 0.17, 0.05]))
        names, usual = ("sun", "moon", "crown", arms), True
    elif chance(rng, 0.12):
        names, usual = ("disc", "moon", "triangle", "x"), True
    elif chance(rng, 0.15):
        names, usual = ("heart", "spade", "club", "diamond"), False
    else:
        pool = [
            "sun",
            "moon",
            "crown",
            "fleur",
            "anchor",
            "shield",
            "swords",
            "disc",
            "triangle",
            "x",
            "heart",
            "spade",
            "club",
            "diamond",
            "hexagon",
            "star",
            "plus",
            "ring",
            "leaf",
            "tree",
            "bolt",
            "wave",
            "key",
            "cup",
            "eye",
            "paw",
            "arrow",
            "square",
            "star6",
            "star8",
        ]
        picked = [str(name) for name in rng.choice(pool, 4, replace=False)]
        names, usual = (picked[0], picked[1], picked[2], picked[3]), False
    return tuple(
        Mark(name, int(rng.integers(1 << 30)), stretch=stretch, hollow=hollow, weight=between(rng, -0.3, 0.4))
        for name in names
    ), usual


def _numerals(rng: np.random.Generator) -> tuple[Mark | None, ...]:
    """Null to 5 in one hand."""
    font, hand = fonts()[int(rng.integers(len(fonts())))], int(rng.integers(1 << 30))
    weight, stretch = between(rng, -0.7, 1.0), between(rng, 0.78, 1.25)
    slant = between(rng, 0.05, 0.25) if chance(rng, 0.15) else 0.0
    hollow = chance(rng, 0.05)
    digits = [Mark(text, hand, font, weight, stretch, slant, hollow) for text in "01A2345"]
    ace = rng.random()
    one = Mark("spiral", hand) if ace < 0.5 else digits[2] if ace < 0.72 else digits[1]
    null = rng.random()
    none = None if null < 0.72 else digits[0] if null < 0.86 else Mark("ring", hand)
    return (none, one, *digits[3:])


def _bodies(rng: np.random.Generator) -> tuple[Colour, str]:
    """Colour and grain of coins."""
    kind = rng.random()
    if kind < 0.42:
        red = between(rng, 0.62, 0.95)
        return np.array([red * between(rng, 0.45, 0.8), red * between(rng, 0.72, 0.92), red], np.float32), "wood"
    if kind < 0.8:
        tone = between(rng, 0.72, 0.97)
        return np.array([tone - between(rng, 0, 0.15), tone - between(rng, 0, 0.05), tone], np.float32), "plain"
    if kind < 0.92:
        return np.clip(between(rng, 0.03, 0.18) + rng.normal(0, 0.01, 3), 0, 1).astype(np.float32), "plain"
    return (
        _hsv(between(rng, 0, 180), between(rng, 20, 130), between(rng, 130, 245)),
        "speckle" if chance(rng, 0.5) else "plain",
    )


def _seen_on(colours: NDArray[np.float32], body: Colour, rng: np.random.Generator) -> NDArray[np.float32]:
    """Colours made lighter or darker where they could not be seen on the body."""
    lab = cv2.cvtColor(np.vstack([colours, body[None]])[None].astype(np.float32), cv2.COLOR_BGR2Lab)[0]
    weak = np.linalg.norm(lab[:-1] - lab[-1], axis=1) < 32
    towards = np.float32(0.95 if float(body.mean()) < 0.45 else 0.05)
    return np.where(weak[:, None], towards * np.float32(0.75) + colours * np.float32(0.25), colours).astype(np.float32)


def edition(rng: np.random.Generator) -> Edition:
    """A set as some maker might sell it, or some player might make it."""
    marks, usual = _marks(rng)
    colours = _usual_colours(rng) if usual or chance(rng, 0.3) else _apart(rng, 4, 28)
    if not usual and chance(rng, 0.15):
        colours = np.repeat(colours[1:2], 4, axis=0)  # one colour: marks alone tell the suits
    if usual and marks[2].name == "triangle":
        colours = np.stack([_hsv(0, 220, 205), _hsv(110, 200, 190), _hsv(25, 220, 230), _hsv(60, 190, 150)])
    body, grain = _bodies(rng)
    dark = float(body.mean()) < 0.42  # what is printed on it must be seen
    filled = chance(rng, 0.14)
    suit_body = body if chance(rng, 0.85) else _bodies(rng)[0]
    ink = np.full(3, between(rng, 0.82, 0.98) if dark else between(rng, 0.02, 0.2), np.float32)
    if chance(rng, 0.1):
        ink = _seen_on(_hsv(between(rng, 0, 180), 200, between(rng, 60, 200))[None], body, rng)[0]
    values = _numerals(rng)
    symbol = Mark("suit")
    faces = (None if chance(rng, 0.85) else values[0], symbol if chance(rng, 0.75) else values[1], *values[2:])
    die_colours = _usual_colours(rng) if usual and chance(rng, 0.3) else colours
    if (np.ptp(die_colours, axis=0) < 0.05).all():
        die_colours = _usual_colours(rng)
    if chance(rng, 0.3):  # the body wears the suit's colour
        bodies = die_colours
        light = bodies.mean(axis=1, keepdims=True) > 0.6
        inks = np.where(light, 0.06, 0.95).astype(np.float32).repeat(3, axis=1)
    else:
        tone = body if chance(rng, 0.4) else np.full(3, between(rng, 0.8, 0.97), np.float32)
        bodies = np.repeat(tone[None], 4, axis=0)
        inks = _seen_on(die_colours, tone, rng)
    count = int(rng.integers(2, 7))
    chips = tuple(str(name) for name in rng.choice(list(CHIP_COLOURS), count, replace=False, p=_CHIP_ODDS))
    pawn_colours = np.stack([_near(c, 0.12, rng) for c in (die_colours if chance(rng, 0.85) else _usual_colours(rng))])
    coin = between(rng, 18.2, 20) if chance(rng, 0.7) else between(rng, 16.5, 25.4)
    chip = between(rng, 22, 41)
    return Edition(
        name="random",
        canonical=usual,
        suits=marks,
        suit_colours=_seen_on(colours, suit_body, rng),
        values=values,
        faces=faces,
        coin_body=body,
        suit_body=suit_body,
        grain=grain,
        filled=filled,
        value_ink=ink,
        mark_size=between(rng, 0.45, 0.74),
        rim=between(rng, 0.02, 0.06) if chance(rng, 0.14) else 0.0,
        direction=str(rng.choice(["line", "dot", "triangle", "arc", "none"], p=[0.42, 0.22, 0.1, 0.1, 0.16])),
        direction_ink=np.full(3, between(rng, 0, 0.15), np.float32) if chance(rng, 0.5) and not dark else None,
        die_bodies=bodies.astype(np.float32),
        die_inks=inks,
        die_mark=between(rng, 0.55, 0.84),
        die_corner=between(rng, 0.02, 0.25),
        pawn=str(rng.choice(["peg", "cone", "cylinder", "ball", "meeple"], p=[0.3, 0.2, 0.15, 0.2, 0.15])),
        pawn_colours=pawn_colours,
        chips=chips,
        chip_colours=np.stack([_near(CHIP_COLOURS[name], 0.14, rng) for name in chips]),
        chip_spots=int(rng.integers(4, 9)) if chance(rng, 0.45) else 0,
        chip_inlay=between(rng, 0.4, 0.68) if chance(rng, 0.3) else 0.0,
        coin_mm=(coin, between(rng, 1.6, 4.0)),
        die_mm=between(rng, 12, 16.5) if chance(rng, 0.85) else between(rng, 16, 22),
        pawn_mm=(between(rng, 10, 18), between(rng, 18, 34)),
        chip_mm=(chip, between(rng, 1.5, 3.6)),
        tile_mm=(50.8 if chance(rng, 0.75) else between(rng, 42, 62), between(rng, 1.6, 6.5)),
        tile_back=str(rng.choice(["cross", "checkered", "plain"], p=[0.6, 0.3, 0.1])),
        tile_body=body if chance(rng, 0.7) else _bodies(rng)[0],
        gloss=between(rng, 0, 1),
    )


_CHIP_ODDS = (0.14, 0.15, 0.15, 0.14, 0.13, 0.09, 0.06, 0.05, 0.03, 0.03, 0.03)


def _named(
    name: str,
    suits: tuple[str, ...],
    ace: str,
    *,
    colours: str = "",
    font: str = "sans600",
    body: tuple[float, float, float] = (0.62, 0.8, 0.9),
    grain: str = "wood",
    ink: float = 0.06,
    filled: bool = False,
    direction: str = "line",
    null: Mark | None = None,
    crown: tuple[float, float, float] = (0.28, 0.5, 0.08),
    back: str = "cross",
    pawn: str = "peg",
    hand: int = 7,
) -> Edition:
    """One of the common editions (Piecepack Anatomy, ludism.org ComparisonOfEditions)."""
    font = font if font in fonts() else "hershey1"
    digits = [Mark(text, hand, font) for text in "2345"]
    first = Mark("spiral", hand + 1) if ace == "spiral" else Mark(ace, hand, font)
    marks = tuple(Mark(suit, hand + k) for k, suit in enumerate(suits))
    paints = {
        "": ((0.1, 0.08, 0.75), (0.06, 0.06, 0.06), crown, (0.6, 0.25, 0.08)),
        "hand": ((0.15, 0.12, 0.85), (0.85, 0.4, 0.15), (0.15, 0.85, 0.95), (0.25, 0.65, 0.2)),
        "pegs": ((0.13, 0.12, 0.76), (0.08, 0.08, 0.08), (0.08, 0.45, 0.95), (0.7, 0.35, 0.1)),
    }
    four = np.array(paints[colours], np.float32)
    whole, dark = np.array(body, np.float32), sum(body) < 1
    ace_face = first if ace in ("A", "1") or name == "JCD" else Mark("suit")
    chips = ("white", "red", "blue", "green", "black")
    return Edition(
        name=name,
        canonical=True,
        suits=marks,
        suit_colours=four,
        values=(null, first, *digits),
        faces=(None, ace_face, *digits),
        coin_body=whole,
        suit_body=whole,
        grain=grain,
        filled=filled,
        value_ink=np.full(3, ink, np.float32),
        mark_size=0.62,
        rim=0.0,
        direction=direction,
        direction_ink=None if dark else np.full(3, ink, np.float32),
        die_bodies=np.repeat(whole[None] if dark else np.full((1, 3), 0.93), 4, axis=0).astype(np.float32),
        die_inks=four,
        die_mark=0.72,
        die_corner=0.12,
        pawn=pawn,
        pawn_colours=four,
        chips=chips,
        chip_colours=np.array([CHIP_COLOURS[c] for c in chips], np.float32),
        chip_spots=6,
        chip_inlay=0.0,
        coin_mm=(19.05, 3.2),
        die_mm=12.7,
        pawn_mm=(15.9, 28.6),
        chip_mm=(39.0, 3.3),
        tile_mm=(50.8, 6.35),
        tile_back=back,
        tile_body=whole,
        gloss=0.3,
    )


_WHITE, _BLACK = (0.95, 0.96, 0.96), (0.07, 0.07, 0.07)
_COMMON = ("sun", "moon", "crown", "fleur")


def common_editions() -> dict[str, Edition]:
    """The editions that players most often have, by name."""
    every = (
        _named("original", _COMMON, "spiral", crown=(0.15, 0.75, 0.9)),
        _named("Mesomorph", _COMMON, "spiral", hand=21, font="serif600"),
        _named("orthodox", _COMMON, "spiral", body=_WHITE, grain="plain", hand=33, font="sans400"),
        _named(
            "JCD", ("sun", "moon", "crown", "anchor"), "spiral", body=_WHITE, grain="plain", hand=41, font="sans800"
        ),
        _named(
            "Expanded",
            ("sun", "moon", "crown", "shield"),
            "A",
            body=_WHITE,
            grain="plain",
            hand=55,
            back="checkered",
            pawn="cone",
        ),
        _named(
            "Infinite",
            _COMMON,
            "A",
            colours="pegs",
            body=_WHITE,
            grain="plain",
            hand=61,
            font="sans800",
            direction="dot",
        ),
        _named("TTS", _COMMON, "spiral", body=_WHITE, grain="plain", hand=77, filled=True, direction="arc", ink=0.1),
        _named(
            "TheBillby",
            ("disc", "moon", "triangle", "x"),
            "1",
            colours="hand",
            body=_BLACK,
            grain="plain",
            ink=0.95,
            hand=83,
        ),
    )
    return {edition.name: edition for edition in every}


def reprinted(made: Edition, rng: np.random.Generator) -> Edition:
    """The same edition from another maker or printing: other hands and fonts, inks and woods a little off, other sizes."""
    hand, font = int(rng.integers(1 << 30)), fonts()[int(rng.integers(len(fonts())))]
    weight, stretch = between(rng, -0.5, 0.8), between(rng, 0.85, 1.15)

    def again(mark: Mark | None) -> Mark | None:
        if mark is None or mark.name == "suit":
            return mark
        return replace(mark, hand=hand + len(mark.name), font=font, weight=weight, stretch=stretch)

    suits = tuple(replace(mark, hand=int(rng.integers(1 << 30))) for mark in made.suits)
    suit_colours, chips = (np.stack([_near(colour, 0.1, rng) for colour in every])
                           for every in (made.suit_colours, made.chip_colours))  # fmt: skip
    apart = [c if chance(rng, 0.7) else _near(c, 0.15, rng) for c in suit_colours]
    scale = between(rng, 0.9, 1.15)
    dark = float(made.coin_body.mean()) < 0.42
    return replace(
        made,
        suits=suits,
        suit_colours=suit_colours,
        values=tuple(again(mark) for mark in made.values),
        faces=tuple(again(mark) for mark in made.faces),
        coin_body=_near(made.coin_body, 0.06, rng),
        suit_body=_near(made.suit_body, 0.06, rng),
        die_bodies=made.die_bodies if dark else np.repeat(_near(made.die_bodies[0], 0.06, rng)[None], 4, axis=0),
        die_inks=np.stack(apart),
        pawn_colours=np.stack([_near(c, 0.12, rng) for c in made.pawn_colours]),
        pawn=made.pawn if chance(rng, 0.5) else str(rng.choice(["peg", "cone", "cylinder", "ball", "meeple"])),
        chip_colours=chips,
        chip_spots=made.chip_spots if chance(rng, 0.5) else 0,
        mark_size=made.mark_size * between(rng, 0.85, 1.15),
        die_mark=min(0.84, made.die_mark * between(rng, 0.85, 1.15)),
        coin_mm=(made.coin_mm[0] * scale, made.coin_mm[1] * between(rng, 0.6, 1.3)),
        die_mm=made.die_mm * between(rng, 0.95, 1.3),
        pawn_mm=(made.pawn_mm[0] * between(rng, 0.85, 1.1), made.pawn_mm[1] * between(rng, 0.75, 1.1)),
        chip_mm=(between(rng, 20, 40), made.chip_mm[1]),
    )
