"""The look of one domino set, and the picture of a single face: body, bar, pin, pips, wear."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.noise import between, blobs, chance, clouds
from simulator.pips import Points, pip_colours, pip_layout

Colour = NDArray[np.float32]
Texture = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class SetStyle:
    """One maker's set. Lengths in units of the half's side; colours BGR 0..1."""

    highest: int
    body: Colour
    side: Colour
    back: Colour
    grain: str  # plain, wood, marble, speckle, dimple, translucent, pebble
    grain_strength: float
    pips: tuple[Points, ...]
    colours: NDArray[np.float32]
    pip_kind: str  # drilled, printed, domed, ring
    pip_radius: float
    crowded_radius: float  # radius from ten pips on
    spread: float
    bar: str  # none, line, groove
    bar_colour: Colour
    bar_length: float
    bar_width: float
    pin: float  # radius of the spinner pin, 0 for none
    pin_colour: Colour
    corner: float
    bevel: float
    thickness: float
    length: float  # of the whole tile
    gloss: float
    wear: float
    back_mark: int  # 0 plain, else a pattern; from 4 on a drawing

    def radius(self, count: int) -> float:
        """Of the pips of a half that shows so many."""
        return self.pip_radius if count < 10 else self.crowded_radius


def _body_colour(rng: np.random.Generator) -> tuple[Colour, str, bool]:
    """Body colour, grain, and whether the body is dark."""
    kind = rng.random()
    if kind < 0.50:  # white to ivory
        tone = between(rng, 0.72, 0.97)
        yellow = between(rng, 0.0, 0.22) if chance(rng, 0.6) else 0.0
        return np.array([tone - yellow, tone - yellow * 0.35, tone], np.float32), "plain", False
    if kind < 0.66:  # black and very dark
        tone = between(rng, 0.02, 0.16)
        return np.clip(tone + rng.normal(0, 0.015, 3), 0, 1).astype(np.float32), "plain", True
    if kind < 0.76:
        red = between(rng, 0.35, 0.85)
        warm = np.array([red * between(rng, 0.3, 0.6), red * between(rng, 0.6, 0.8), red], np.float32)
        return warm, "wood", red < 0.5
    hue, strong = between(rng, 0, 180), between(rng, 90, 255)
    value = between(rng, 50, 240)
    bgr = cv2.cvtColor(np.array([[[hue, strong, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    colour = (bgr / 255).astype(np.float32)
    dark = float(colour @ np.array([0.11, 0.59, 0.3], np.float32)) < 0.5
    return colour, "marble" if chance(rng, 0.35) else ("translucent" if chance(rng, 0.3) else "plain"), dark


def _ink(dark: bool, rng: np.random.Generator) -> Colour:
    """Pip colour that contrasts with the body."""
    if dark:
        tone = between(rng, 0.6, 1.0)
        gold = chance(rng, 0.2)
        return np.array([tone * (0.45 if gold else 1), tone * (0.8 if gold else 1), tone], np.float32)
    if chance(rng, 0.8):
        return (np.full(3, between(rng, 0.0, 0.22)) + rng.normal(0, 0.015, 3)).clip(0, 1).astype(np.float32)
    return rng.uniform(0.0, 0.45, 3).astype(np.float32)


def set_style(rng: np.random.Generator, highest: int | None = None) -> SetStyle:
    """A set as some maker might sell it."""
    if highest is None:
        highest = int(rng.choice([6, 9, 12, 15], p=[0.46, 0.18, 0.22, 0.14]))
    body, grain, dark = _body_colour(rng)
    if grain == "plain" and chance(rng, 0.3):
        grain = str(rng.choice(["speckle", "dimple", "marble"]))
    ink = _ink(dark, rng)
    coloured = chance(rng, 0.25 if highest == 6 else 0.75) and not (dark and chance(rng, 0.7))
    colours = pip_colours(ink, coloured, rng)
    luma = np.array([0.11, 0.59, 0.3], np.float32)
    weak = np.abs(colours @ luma - float(body @ luma)) < 0.16
    chroma = np.abs(colours - body).max(axis=1) < 0.3
    colours[weak & chroma] = ink
    radius = between(rng, 0.07, 0.125) if highest <= 9 else between(rng, 0.055, 0.1)
    bar_dark = ink if chance(rng, 0.8) else rng.uniform(0, 0.9, 3).astype(np.float32)
    kind = str(rng.choice(["drilled", "printed", "domed", "ring"], p=[0.5, 0.32, 0.13, 0.05]))
    two_tone = chance(rng, 0.15)
    side = body * np.float32(between(rng, 0.8, 1.0))
    back = body * np.float32(between(rng, 0.85, 1.05))
    if two_tone or chance(rng, 0.15):
        back = rng.uniform(0.0, 0.8, 3).astype(np.float32)
    return SetStyle(
        highest=highest, body=body, side=back if two_tone else side, back=back.clip(0, 1), grain=grain,
        grain_strength=between(rng, 0.02, 0.14), pips=tuple(pip_layout(n, rng) for n in range(16)),
        colours=colours, pip_kind=kind, pip_radius=radius,
        crowded_radius=min(radius, between(rng, 0.055, 0.085)), spread=between(rng, 0.215, 0.335),
        bar=str(rng.choice(["none", "line", "groove"], p=[0.1, 0.5, 0.4])), bar_colour=bar_dark,
        bar_length=between(rng, 0.55, 0.98), bar_width=between(rng, 0.02, 0.085),
        pin=between(rng, 0.045, 0.1) if chance(rng, 0.35) else 0.0,
        pin_colour=np.array([between(rng, 0.2, 0.6), between(rng, 0.5, 0.8), between(rng, 0.65, 0.95)], np.float32),
        corner=between(rng, 0.0, 0.24), bevel=between(rng, 0.0, 0.1), thickness=between(rng, 0.1, 0.52),
        length=between(rng, 1.86, 2.12), gloss=between(rng, 0.0, 1.0),
        wear=between(rng, 0.0, 1.0) ** 3, back_mark=int(rng.integers(0, 4)) if chance(rng, 0.35) else 0,
    )


def rounded_mask(height: int, width: int, radius: float) -> NDArray[np.float32]:
    """(height, width) mask of a rounded rectangle that fills the picture, soft by about a pixel."""
    x = np.abs(np.arange(width, dtype=np.float32) - (width - 1) / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height, dtype=np.float32) - (height - 1) / 2) - (height / 2 - radius)
    outside = np.hypot(np.maximum(x, 0)[None], np.maximum(y, 0)[:, None])
    inside = np.minimum(np.maximum(x[None], y[:, None]), 0)
    return np.clip(radius - outside - inside, 0, 1).astype(np.float32)


def _grain(style: SetStyle, height: int, width: int, rng: np.random.Generator) -> NDArray[np.floating]:
    """Multiplier of the body colour, mean about 1."""
    strength = style.grain_strength
    if style.grain == "wood":
        field = blobs(height, width * 6, height / 9, rng)[:, :width] + 0.6 * cv2.resize(
            rng.standard_normal((height, 4)).astype(np.float32), (width, height))
        return 1 + strength * field
    if style.grain in ("marble", "translucent"):
        field = clouds(height, width, height / 1.5, rng)
        return 1 + 2.0 * strength * (np.sin(3 * field) if style.grain == "marble" else field)
    if style.grain == "speckle":
        return 1 - 2.5 * strength * (rng.random((height, width)) < 0.03).astype(np.float32)
    if style.grain == "dimple":
        return 1 + 0.8 * strength * rng.standard_normal((height, width)).astype(np.float32)
    if style.grain == "pebble":  # a moulded skin: its bumps catch light, which shows on dark bodies
        field = blobs(height, width, max(1.5, height / between(rng, 8, 24)), rng)
        return 1 + strength * np.maximum(field, -0.5) / max(0.08, float(style.body.mean()))
    return 1 + 0.3 * strength * blobs(height, width, height, rng)


def _disc(canvas: Texture, centre: tuple[float, float], radius: float, colour: Colour, alpha: float = 1.0) -> None:
    """Paint a soft-edged disc in place; centre and radius in pixels."""
    reach = int(radius + 2)
    x0, y0 = max(0, int(centre[0]) - reach), max(0, int(centre[1]) - reach)
    patch = canvas[y0 : int(centre[1]) + reach + 2, x0 : int(centre[0]) + reach + 2]
    if patch.size == 0:
        return
    dx = np.arange(x0, x0 + patch.shape[1], dtype=np.float32) - centre[0]
    dy = np.arange(y0, y0 + patch.shape[0], dtype=np.float32) - centre[1]
    cover = np.clip(radius + 0.5 - np.hypot(dx[None], dy[:, None]), 0, 1)[..., None] * alpha
    patch += cover * (colour - patch)


def _pip(canvas: Texture, centre: tuple[float, float], radius: float, colour: Colour, kind: str,
         light: tuple[float, float], gloss: float) -> None:
    """One pip, lit from `light` (unit vector in the face's axes, towards the lamp)."""
    lx, ly = light
    if kind == "drilled":  # the wall towards the lamp lies in shade, the far wall catches light
        _disc(canvas, centre, radius * 1.07, colour * np.float32(0.75))
        _disc(canvas, centre, radius * 0.97, colour)
        shift = radius * 0.28
        _disc(canvas, (centre[0] + lx * shift, centre[1] + ly * shift), radius * 0.72, colour * np.float32(0.6), 0.7)
        bright = np.clip(colour * 1.35 + 0.10, 0, 1).astype(np.float32)
        _disc(canvas, (centre[0] - lx * radius * 0.5, centre[1] - ly * radius * 0.5), radius * 0.34, bright, 0.55 * gloss)
    elif kind == "domed":
        _disc(canvas, centre, radius, colour)
        bright = np.clip(colour * 1.2 + 0.35, 0, 1).astype(np.float32)
        _disc(canvas, (centre[0] + lx * radius * 0.35, centre[1] + ly * radius * 0.35), radius * 0.36, bright, 0.8 * gloss)
    elif kind == "ring":
        _disc(canvas, centre, radius * 1.08, np.clip(colour * 0.5, 0, 1).astype(np.float32))
        _disc(canvas, centre, radius * 0.78, colour)
    else:
        _disc(canvas, centre, radius, colour)


def _bar(canvas: Texture, style: SetStyle, light: tuple[float, float]) -> None:
    """The divider and its pin, in place."""
    height, width = canvas.shape[:2]
    middle = width / 2
    if style.bar != "none":
        half = max(0.7, style.bar_width * height / 2)
        reach = style.bar_length * height / 2
        top, bottom = int(height / 2 - reach), int(np.ceil(height / 2 + reach))
        columns = np.arange(width, dtype=np.float32) + 0.5 - middle
        cover = np.clip(half + 0.5 - np.abs(columns), 0, 1)[None, :, None]
        strip = canvas[max(0, top) : bottom]
        strip += cover * (style.bar_colour - strip)
        if style.bar == "groove":
            edge = np.clip(1.2 - np.abs(columns + light[0] * half), 0, 1)[None, :, None] * 0.35
            strip += edge * (1 - strip)
    if style.pin:
        centre, radius = (middle, height / 2), style.pin * height
        _disc(canvas, centre, radius * 1.15, style.pin_colour * np.float32(0.45))
        _disc(canvas, centre, radius, style.pin_colour)
        bright = np.clip(style.pin_colour + 0.35, 0, 1).astype(np.float32)
        _disc(canvas, (centre[0] + light[0] * radius * 0.3, centre[1] + light[1] * radius * 0.3), radius * 0.4, bright)


def _wear(canvas: Texture, wear: float, rng: np.random.Generator) -> None:
    """Scratches, specks of dirt and stains, in place; a speck may look like a pip but lies anywhere."""
    height, width = canvas.shape[:2]
    for _ in range(int(rng.poisson(1.5 * wear))):
        where = (between(rng, 0, width), between(rng, 0, height))
        dirt = rng.uniform(0, 0.5, 3).astype(np.float32)
        _disc(canvas, where, between(rng, 0.01, 0.03) * height, dirt, between(rng, 0.3, 0.9))
    for _ in range(int(rng.poisson(3 * wear))):
        start = rng.uniform(0, 1, 2) * (width, height)
        end = start + rng.normal(0, 0.4, 2) * height
        tone = between(rng, 0.3, 1.0)
        cv2.line(canvas, tuple(int(v) for v in start), tuple(int(v) for v in end), (tone, tone, tone), 1, cv2.LINE_AA)
    if wear > 0.1:
        canvas *= (1 - 0.12 * wear * np.abs(clouds(height, width, height / 2, rng, 2)))[..., None]


def _edge_shade(canvas: Texture, bevel: float, light: tuple[float, float]) -> None:
    """Bevelled rim: brighter towards the lamp, darker away from it, in place."""
    height, width = canvas.shape[:2]
    reach = max(1.0, bevel * height)
    x = np.arange(width, dtype=np.float32) + 0.5
    y = np.arange(height, dtype=np.float32) + 0.5
    left, right = np.clip(1 - x / reach, 0, 1), np.clip(1 - (width - x) / reach, 0, 1)
    top, bottom = np.clip(1 - y / reach, 0, 1), np.clip(1 - (height - y) / reach, 0, 1)
    slope = (right - left)[None] * light[0] + (bottom - top)[:, None] * light[1]
    canvas *= (1 + 0.28 * slope - 0.06 * np.maximum(np.maximum(left, right)[None], np.maximum(top, bottom)[:, None]))[..., None]


def face_texture(style: SetStyle, ends: tuple[int, int] | None, side_px: int, lamp: float,
                 rng: np.random.Generator) -> Texture:
    """(side_px, length, 4) BGR + cover, 0..1: a face with its two ends left and right, or a back for `None`.

    lamp: direction of the light in the face's own axes, radians.
    """
    height = max(16, side_px)
    fine = 2 if height < 72 else 1
    tall, wide = height * fine, round(height * fine * style.length)
    body = style.back if ends is None else style.body
    canvas = np.empty((tall, wide, 3), np.float32)
    canvas[:] = body * _grain(style, tall, wide, rng)[..., None]
    light = (float(np.cos(lamp)), float(np.sin(lamp)))
    if style.bevel:
        _edge_shade(canvas, style.bevel, light)
    if ends is not None:
        _bar(canvas, style, light)
        for half, count in enumerate(ends):
            middle = wide * (0.25 + 0.5 * half)
            radius = style.radius(count) * tall
            slip = rng.normal(0, 0.004, 2) * tall
            for u, v in style.pips[count]:
                centre = (middle + slip[0] + u * style.spread * tall, tall / 2 + slip[1] + v * style.spread * tall)
                _pip(canvas, centre, radius, style.colours[count], style.pip_kind, light, style.gloss)
    elif style.back_mark:
        _back_mark(canvas, style, rng)
    _wear(canvas, style.wear, rng)
    cover = rounded_mask(tall, wide, max(1.0, style.corner * tall)) if style.corner else np.ones((tall, wide), np.float32)
    texture = np.dstack([np.clip(canvas, 0, 1), cover])
    if fine > 1:
        texture = cv2.resize(texture, (wide // fine, height), interpolation=cv2.INTER_AREA)
    return texture.astype(np.float32, copy=False)


def _back_mark(canvas: Texture, style: SetStyle, rng: np.random.Generator) -> None:
    """An ornament as some backs carry, in place."""
    height, width = canvas.shape[:2]
    tone = tuple(float(v) for v in np.clip(style.back * between(rng, 0.4, 1.6), 0, 1))
    middle = (width // 2, height // 2)
    if style.back_mark == 1:
        cv2.ellipse(canvas, middle, (width // 3, height // 3), 0, 0, 360, tone, max(1, height // 20), cv2.LINE_AA)
    elif style.back_mark == 2:
        inset = height // 8
        cv2.rectangle(canvas, (inset, inset), (width - inset, height - inset), tone, max(1, height // 24), cv2.LINE_AA)
    elif style.back_mark == 3:
        for offset in range(-height, width, max(4, height // 6)):
            cv2.line(canvas, (offset, 0), (offset + height, height), tone, 1, cv2.LINE_AA)
    else:
        _drawing(canvas, style.back_mark, tone)


def _drawing(canvas: Texture, number: int, tone: tuple[float, ...]) -> None:
    """A maker's drawing, the same on every back of a set, in place: rays, petals, scrolls, letters."""
    rng = np.random.default_rng(number)  # the drawing belongs to the set
    height, width = canvas.shape[:2]
    thick, reach = max(1, height // int(rng.integers(14, 40))), height * between(rng, 0.2, 0.45)
    middle = np.array([width / 2, height / 2])
    kind, count = number % 4, int(rng.integers(5, 17))
    if kind == 3:
        word = "".join(chr(int(c)) for c in rng.integers(65, 91, int(rng.integers(1, 7))))
        scale, font, mask = reach / 30, int(rng.integers(0, 8)), np.zeros((height, width), np.uint8)
        (long, tall), _ = cv2.getTextSize(word, font, scale, thick)
        cv2.putText(mask, word, (int(middle[0] - long / 2), int(middle[1] + tall / 2)), font, scale, 255, thick, cv2.LINE_AA)
        canvas += (mask[..., None] / np.float32(255)) * (np.array(tone, np.float32) - canvas)
        return
    for turn in np.linspace(0, 2 * np.pi, count, endpoint=False):
        way = np.array([np.cos(turn) * (1.6 if number % 3 == 0 else 1.0), np.sin(turn)])
        tip, half = middle + way * reach, middle + way * reach * 0.5
        if kind == 0:
            cv2.line(canvas, _whole(half), _whole(tip), tone, thick, cv2.LINE_AA)
        elif kind == 1:
            axes = (max(1, int(reach * 0.4)), max(1, int(reach * 0.14)))
            cv2.ellipse(canvas, _whole(half), axes, float(np.degrees(turn)), 0, 360, tone, thick, cv2.LINE_AA)
        else:
            cv2.circle(canvas, _whole(tip), max(1, int(reach * 0.16)), tone, thick, cv2.LINE_AA)


def _whole(point: NDArray[np.floating]) -> tuple[int, int]:
    return int(point[0]), int(point[1])
