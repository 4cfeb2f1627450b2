"""Photographs of a table in true light: what lies there, its lamps and the hands over it path-traced, not painted.

Slow, so that every picture is kept by its content, and a table that is traced is shown in few pictures (`films.in_pictures`).
What is true about a picture the painter tells, who looks at the same things with the same camera. Needs mitsuba (extra `train`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator import pieces
from simulator.editions import SUITS
from simulator.pathtraced import Plugin, bitmap, filtered, linear, material, mesh, mitsuba, sensor, whole_pixel_view
from simulator.piece_faces import chip_colour, face_of
from simulator.solids import Solid, joined, limb, slab, turned
from simulator.tabletop.camera import Camera
from simulator.tabletop.hands import Hand
from simulator.tabletop.look import TOP_MM, Look
from simulator.tabletop.lying import Board, Cup, Die, Pawn, Rail, Sheet, Tabletop, Tile
from simulator.tabletop.lying import Thing as Lying
from simulator.tabletop.painting import GAMMA, as_piece, tile_body
from simulator.tabletop.render import DAY, MATS, Image, Light, Renderer
from simulator.tabletop.sensor import HEADROOM, Sensor
from simulator.tabletop.truth import Truth
from simulator.things import Thing, atlas, tile_things

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

VERSION = 2
"""Raised when the same things are traced otherwise: pictures that were kept before are traced anew."""

PATHS = 16 * 1280 * 720
"""Light paths a picture: the more pixels, the fewer for each, so that a large picture takes as long as a small one."""

LAMPS_FROM_MM = 1800.0
"""Lamps hang at least so high, in the same direction and looking as large: none comes between the camera and the table."""

PAPER_MM = 0.3
"""How high printed sheets lie."""

PAPER_PX = 4.0
"""Pixels of a printed sheet to the millimetre: a tag's edges stay sharp."""

BEYOND = 20.0
"""The table top goes on, mirrored, for so many times its size."""


def traceable(camera: Camera) -> Camera:
    """The same camera with a straight lens: the tracer bends none."""
    return replace(camera, k1=0.0, k2=0.0)


class TracedRenderer(Renderer):
    """A `traceable` camera over one table, as `Renderer`; `kept`: the folder in which pictures are kept."""

    def __init__(self, camera: Camera, look: Look, kept: Path) -> None:
        super().__init__(camera, look)
        self._kept = kept
        self._taken = Sensor(look.seed)
        self._key = ""
        self._clean = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._things: dict[Lying, list[Thing]] = {}

    def shoot(self, tabletop: Tabletop, veils: Sequence[Any] = (), light: Light = DAY, camera: Camera | None = None,
              number: int = 0) -> tuple[Image, Truth]:
        """The picture of this moment, (H, W, 3) uint8 BGR, and what is true about it; `number` settles its noise."""
        _, truth = super().shoot(tabletop, veils, light, camera, number)
        hands = tuple(veil for veil in veils if isinstance(veil, Hand))
        look = (self.look.seed, self.look.tile_mm, self.look.style.highest)
        steady = replace(light, flash=0.0)  # a flash is the sensor's
        key = sha256(repr((VERSION, PATHS, look, tabletop, hands, steady, truth.camera)).encode()).hexdigest()
        if key != self._key:
            self._key, self._clean = key, self._picture(key, tabletop, hands, steady, truth.camera)
            self._taken.forget()
        return self._taken.take(self.exposed(truth.camera), self._clean, number, light.flash), truth

    def _picture(self, key: str, tabletop: Tabletop, hands: Sequence[Hand], light: Light, camera: Camera) -> Image:
        """(H, W, 3) uint8: the light as the lens throws it on the sensor, traced where nobody did before."""
        file = self._kept / f"{key[:40]}.png"
        known = cv2.imread(str(file)) if file.is_file() else None
        if known is not None and known.shape == (camera.height, camera.width, 3):
            return np.asarray(known, np.uint8)
        shown = self._trace(tabletop, hands, light, camera) ** np.float32(1 / GAMMA)
        clean = np.clip(shown[..., ::-1] * np.float32(255 * HEADROOM), 0, 255).astype(np.uint8)
        if camera.blur_px > 0:
            clean = np.asarray(cv2.GaussianBlur(clean, (0, 0), camera.blur_px), np.uint8)
        self._kept.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part.png")
        cv2.imwrite(str(part), clean)
        part.replace(file)  # whole or not at all
        return clean

    def _trace(self, tabletop: Tabletop, hands: Sequence[Hand], light: Light, camera: Camera) -> Picture:
        """(H, W, 3) linear RGB; a white sheet in the light as it was set up is 1."""
        mi, look = mitsuba(), self.look
        view = whole_pixel_view(camera.view(look.tile_mm))
        samples = max(round(PATHS / (camera.width * camera.height)), 1)
        tiles = [each for thing in tabletop if isinstance(thing, Tile) for each in self._solid(thing)]
        others = [each for thing in tabletop if not isinstance(thing, Tile | Sheet) for each in self._solid(thing)]
        skins = [each for hand in hands for each in hand_things(hand, look)]
        shapes = {"top": _top(look)}
        for name, group, gloss in (("tiles", tiles, look.style.gloss), ("others", others, 0.4), ("hands", skins, 0.05)):
            if group:
                picture, solids = atlas(group)
                finish = replace(look.style, gloss=gloss, grain=look.style.grain if name == "tiles" else "")
                shapes[name] = mesh(name, joined(solids)[0], material(finish, picture))
        shapes |= {f"paper{at}": _paper(thing, look) for at, thing in enumerate(tabletop) if isinstance(thing, Sheet)}
        scene = mi.load_dict({"type": "scene", "integrator": {"type": "path", "max_depth": 5},
                              "sensor": sensor(view, samples), **_lights(look, light), **shapes})  # fmt: skip
        # The same paths in every picture of one view: where nothing changed nothing flickers, and no grain stays where the
        # table has moved.
        seed = crc32(repr((look.seed, camera)).encode()) >> 1
        radiance = np.nan_to_num(np.array(mi.render(scene, spp=samples, seed=seed))[..., :3])
        guides = mi.load_dict({"type": "aov", "aovs": "paint:albedo,normal:sh_normal"})
        layers = np.array(mi.render(scene, integrator=guides, spp=-(-samples // 4), seed=seed))
        return filtered(radiance, layers[..., -6:-3], layers[..., -3:], np.zeros(radiance.shape[:2], np.int32))

    def _solid(self, thing: Lying) -> list[Thing]:
        """What a thing is made of; it is made once, so that it looks the same wherever nothing happens to it."""
        if thing not in self._things:
            self._things[thing] = things_of(thing, self.look, self.view.half_px)
        return self._things[thing]


def things_of(thing: Lying, look: Look, half_px: float) -> list[Thing]:
    """The solids of a thing, in the units of a canvas; printed sheets have none. half_px: a half's side in the picture."""
    rng = np.random.default_rng([look.seed, crc32(thing.name.encode())])
    if isinstance(thing, Tile):
        return tile_things([tile_body(thing, look)], look.style, half_px, rng)
    if isinstance(thing, Sheet):
        return []
    if isinstance(thing, Cup):
        china, drink = rng.uniform(0.3, 0.95, 3).astype(np.float32), rng.uniform(0.05, 0.4, 3).astype(np.float32)
        radius, high = thing.radius, thing.height
        body = turned([(0, 0.75 * high), (0.9 * radius, 0.75 * high), (0.9 * radius, high), (radius, high), (0.8 * radius, 0)])
        return [_piece(body, thing.x, thing.y, 0.0, thing.lift, drink, china, look, 1.0)]
    if isinstance(thing, Rail):
        wood = np.array([0.24, 0.37, 0.55], np.float32) * np.float32(rng.uniform(0.5, 1.2))
        block = slab(thing.length / thing.width, 0.05, 0.05, thing.height / thing.width, 2)
        return [_piece(block, thing.x, thing.y, thing.angle, thing.height + thing.lift, wood, wood, look, thing.width)]
    piece = as_piece(thing, look)
    radius, high = (size * look.tile_mm for size in pieces.size_of(piece, look.edition, look.tile_mm))
    base = piece.z * look.tile_mm
    if isinstance(thing, Pawn):
        colour = look.edition.pawn_colours[SUITS.index(thing.suit)]
        form = look.edition.pawn if look.edition.pawn != "meeple" else "cone"
        line = [(part * radius, rise * high) for part, rise in reversed(pieces.profile(form))]
        return [_piece(turned([(0.0, high), *line]), thing.x, thing.y, thing.angle, base, colour, colour, look, 1.0)]
    face = face_of(look.edition, piece.kind, piece.label)
    if isinstance(thing, Board | Die):
        tone = look.edition.tile_body if isinstance(thing, Board) else look.edition.die_bodies[SUITS.index(thing.suit)]
        block = slab(1.0, 0.08, 0.03, high / (2 * radius), 4)
        return [_piece(block, thing.x, thing.y, thing.angle, base + high, face, tone, look, 2 * radius)]
    side = chip_colour(piece.label, look.edition) if piece.kind == "chip" else look.edition.suit_body
    disc = turned([(0, high), (0.96 * radius, high), (radius, 0.9 * high), (radius, 0)])
    return [_piece(disc, thing.x, thing.y, thing.angle, base, face, side, look, 1.0)]


def _piece(solid: Solid, x: float, y: float, angle: float, z: float, face: Picture, side: Picture, look: Look,
           scale: float) -> Thing:
    """A solid in millimetres (times `scale`) laid on the table, its face with a picture, (h, w, 3 or 4), or a colour."""
    c, s = np.cos(-angle), np.sin(-angle)
    axes = np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0, 1]])
    picture = np.broadcast_to(face, (8, 8, 3)) if face.ndim == 1 else face[..., :3]
    if face.shape[-1] == 4 and face.ndim == 3:
        picture = picture + side * (1 - face[..., 3:])
    tone = np.asarray(side, np.float32)
    return Thing(solid.moved(np.array([x, -y, z]) / look.tile_mm, axes, scale / look.tile_mm),
                 np.ascontiguousarray(picture, np.float32), tone, tone)


def hand_things(hand: Hand, look: Look) -> list[Thing]:
    """A hand and its arm: rounded limbs, bare or sleeved."""
    things = []
    for start, end, radius, colour in hand.limbs(look.seed):
        ends = np.stack([start, end]) * (1, -1, 1) / look.tile_mm
        plain = np.ascontiguousarray(np.broadcast_to(colour, (8, 8, 3)), np.float32)
        things.append(Thing(limb(ends[0], ends[1], radius / look.tile_mm), plain, colour, colour))
    return things


def _top(look: Look) -> Any:
    """The table top."""
    far = np.array([[-BEYOND, -BEYOND], [BEYOND, -BEYOND], [BEYOND, BEYOND], [-BEYOND, BEYOND]])
    points = np.column_stack([far * TOP_MM * (1, -1) / look.tile_mm, np.zeros(4)])
    shown = linear(np.asarray(look.top / np.float32(255), np.float32))
    paint = {"type": "principled", "base_color": bitmap(shown, wrap_mode="mirror"),
             "roughness": 0.75 - 0.6 * float(np.sqrt(look.glossy)), "specular": 0.2 + 0.6 * look.glossy}  # fmt: skip
    return _sheet("top", points, far + 0.5, paint)


def _paper(thing: Sheet, look: Look) -> Any:
    """A printed sheet."""
    from calibration import mats

    mat = MATS[thing.mat]
    c, s = np.cos(thing.angle), np.sin(thing.angle)
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    flat = (square - 0.5) * (mat.width, mat.height) @ np.array([[c, s], [-s, c]]) + (thing.x, thing.y)
    shown = mats.picture(mat, PAPER_PX).astype(np.float32)[..., None] / 255
    print_ = (0.09 + 0.91 * shown) * np.array([0.93, 0.94, 0.95], np.float32)
    paint = {"type": "diffuse", "reflectance": bitmap(linear(print_.astype(np.float32)), wrap_mode="clamp")}
    return _sheet(thing.name, np.column_stack([flat * (1, -1), np.full(4, PAPER_MM)]) / look.tile_mm, square, paint)


def _sheet(name: str, points: Array, uv: Array, paint: Plugin) -> Any:
    flat = Solid(points, np.tile([0.0, 0, 1], (4, 1)), uv, np.array([[0, 1, 2], [0, 2, 3]]))
    return mesh(name, joined([flat])[0], paint)


def _lights(look: Look, light: Light) -> dict[str, Plugin]:
    """The lamps, as panels that look as large as their shadows' edges tell, and the room's even light."""
    transform = mitsuba().ScalarTransform4f
    tint = np.array(look.tint[::-1]) ** GAMMA
    room = (1 - sum(lamp.share for lamp in look.lamps)) * light.room
    lights: dict[str, Plugin] = {"room": {"type": "constant", "radiance": {"type": "rgb", "value": (tint * room).tolist()}}}
    for at, (lamp, strength) in enumerate(zip(look.lamps, light.lamps, strict=False)):
        if strength <= 0:
            continue
        place = np.array(lamp.place) * (1, -1, 1) * max(1.0, LAMPS_FROM_MM / lamp.place[2]) / look.tile_mm
        far = float(np.linalg.norm(place))
        half = lamp.soft / look.thick_mm * far / 2
        level = lamp.share * strength * np.pi * far**2 / (4 * half**2 * place[2] / far)
        lights[f"lamp{at}"] = {
            "type": "rectangle", "bsdf": {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.0}},
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": (tint * level).tolist()}},
            "to_world": transform().look_at(origin=place.tolist(), target=[0, 0, 0], up=[0.0, 0.6, 0.8]).scale([half, half, 1]),
        }  # fmt: skip
    return lights
