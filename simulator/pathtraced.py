"""Domino tables in true light: path-traced, with lamps, windows, soft shadows, reflections, drilled pips.

Needs mitsuba (in the `train` extra); a shared libLLVM 19 or newer (Debian's libllvm19) makes it about six
times faster. Table units as in `view`: one half's side = 1, about 22 mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.clutter import CLUTTER_ID
from simulator.faces import SetStyle, set_style
from simulator.layouts import Placed, Table, lay_tiles
from simulator.light import photograph
from simulator.noise import between, blobs, chance, log_between
from simulator.scene import Canvas, Scene, TrueTile, body_of, reach_of
from simulator.solids import Solid, joined
from simulator.surfaces import any_colour, printed_dominoes, surface
from simulator.things import Thing, atlas, clutter_things, tile_things
from simulator.view import View, random_view

Array = NDArray[np.float64]
Picture = NDArray[np.float32]
Ids = NDArray[np.int32]
Plugin = dict[str, Any]  # a node of a mitsuba scene
GROUND = 768  # pixels of the table's texture


@cache
def mitsuba() -> Any:
    """The renderer on one thread, compiled for this machine where LLVM is at hand."""
    import drjit
    import mitsuba

    try:
        mitsuba.set_variant("llvm_ad_rgb")
        if drjit.detail.llvm_version()[0] < 19:  # 15 breaks on some minima; 19 is tried
            raise ImportError("libLLVM is too old")
    except ImportError:
        mitsuba.set_variant("scalar_rgb")
    drjit.set_thread_count(1)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    return mitsuba


def whole_pixel_view(view: View) -> View:
    """The same camera, its optical axis moved to the nearest pixel corner, as cropped films want it."""
    forward = view.matrix[2, :3]
    shift = np.eye(3)
    for row in (0, 1):
        axis = float(view.matrix[row, :3] @ forward)
        shift[row, 2] = round(axis) - axis
    return replace(view, matrix=shift @ view.matrix)


def sensor(view: View, samples: int, aperture: float = 0.0, focus: float = 1.0) -> Plugin:
    """A mitsuba camera that projects like a `whole_pixel_view`; aperture radius and focus in table units."""
    transform = mitsuba().ScalarTransform4f
    forward = view.matrix[2, :3]
    across, down = view.matrix[0, :3], view.matrix[1, :3]
    cx, cy = round(float(across @ forward)), round(float(down @ forward))
    focal = float(np.linalg.norm(across - cx * forward))
    up = -(down - cy * forward) / focal
    half = max(cx, view.width - cx), max(cy, view.height - cy)
    lens = (
        {"type": "thinlens", "aperture_radius": aperture, "focus_distance": focus}
        if aperture
        else {"type": "perspective"}
    )
    return {
        **lens,
        "fov": float(np.degrees(2 * np.arctan(half[0] / focal))),
        "fov_axis": "x",
        "near_clip": 0.05,
        "far_clip": 1e5,
        "to_world": transform().look_at(
            origin=list(view.position), target=list(view.position + forward), up=list(up)
        ),
        "film": {
            "type": "hdrfilm",
            "width": 2 * half[0],
            "height": 2 * half[1],
            "pixel_format": "rgb",
            "crop_offset_x": half[0] - cx,
            "crop_offset_y": half[1] - cy,
            "crop_width": view.width,
            "crop_height": view.height,
            "rfilter": {"type": "box"},
        },
        "sampler": {"type": "independent", "sample_count": samples},
    }


def linear(display: Picture) -> Picture:
    """Displayed BGR to reflectance RGB; nothing on a table is whiter than paper."""
    out: Picture = (np.clip(display, 0.02, 1)[..., ::-1] ** 2.2 * 0.88).astype(np.float32)
    return np.ascontiguousarray(out)


def bitmap(picture: Picture, **settings: Any) -> Plugin:
    return {"type": "bitmap", "data": mitsuba().TensorXf(picture), "raw": True, **settings}


def mesh(name: str, solid: Solid, surface_of: Plugin) -> Any:
    """A solid as a mitsuba shape with that material."""
    mi = mitsuba()
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(surface_of)
    shape = mi.Mesh(
        name,
        len(solid.points),
        len(solid.faces),
        has_vertex_normals=True,
        has_vertex_texcoords=True,
        props=properties,
    )
    values = mi.traverse(shape)
    values["vertex_positions"] = np.ascontiguousarray(solid.points.ravel(), np.float32)
    values["vertex_normals"] = np.ascontiguousarray(solid.normals.ravel(), np.float32)
    values["vertex_texcoords"] = np.ascontiguousarray(solid.uv.ravel(), np.float32)
    values["faces"] = np.ascontiguousarray(solid.faces.ravel(), np.uint32)
    values.update()
    return shape


def _hides(view: View, where: Array, radius: float) -> bool:
    """Whether a lamp there would stand between the camera and the table."""
    forward = view.matrix[2, :3]
    depth = float((where - view.position) @ forward)
    if depth < -radius:
        return False
    u = float(np.clip((where - view.position) @ view.position / -(view.position @ view.position), 0, 1))
    sight = view.position * (1 - u)  # the nearest point of the line of sight to the middle of the table
    beside = float(np.linalg.norm(where - sight))
    return beside < radius + u * max(view.width, view.height) / view.half_px


def _key_light(view: View, power: float, rng: np.random.Generator) -> Plugin:
    """A window, a ceiling panel or a small lamp that gives a level white surface the brightness `power`."""
    transform, kind = mitsuba().ScalarTransform4f, rng.random()
    around, colour = between(rng, -np.pi, np.pi), np.array([1.0, 1.0, 1.0])
    if kind < 0.42:
        wide, high = between(rng, 12, 45), between(rng, 15, 45)
        far, steep = between(rng, 30, 120), between(rng, 0.25, 1.0)
        colour += np.array([-0.12, 0.0, 0.14]) * rng.normal()
    elif kind < 0.75:
        wide, high = log_between(rng, 4, 30), log_between(rng, 4, 30)
        far, steep = between(rng, 45, 110), between(rng, 0.7, 1.57)
        colour += np.array([0.1, 0.0, -0.15]) * between(rng, -0.5, 2.5)
    else:
        wide = high = log_between(rng, 0.6, 5)
        far, steep = between(rng, 18, 90), between(rng, 0.5, 1.5)
        colour += np.array([0.12, 0.0, -0.2]) * between(rng, -0.3, 2.5)
    if chance(rng, 0.4):  # where tiles mirror it into the camera
        x, y, z = view.position
        around = float(np.arctan2(-y, -x)) + rng.normal(0, 0.3)
        steep = float(np.arctan2(z, np.hypot(x, y))) + rng.normal(0, 0.15)
    where = np.array([np.cos(around) * np.cos(steep), np.sin(around) * np.cos(steep), np.sin(steep)]) * far
    target = rng.normal(0, 3, 3) * (1, 1, 0) + (0, 0, where[2] * between(rng, 0.4, 1) if kind < 0.42 else 0)
    while _hides(view, where, float(np.hypot(wide, high))):  # hang it farther away, and nearly as much larger
        where, far = where * 1.5, far * 1.5
        wide, high = wide * 1.3, high * 1.3
    facing = float((where - target) @ where) / (float(np.linalg.norm(where - target)) * far)
    seen = 4 * wide * high * max(0.2, facing) * np.sin(steep) / far**2 / np.pi
    panes = np.ones((24, 24, 3), np.float32) * colour.clip(0.3, 2).astype(np.float32)
    if kind < 0.42:
        panes *= np.linspace(between(rng, 0.3, 1), 1, 24, dtype=np.float32)[:, None, None]
        for k in range(1, int(rng.integers(1, 4))):
            panes[:, k * 24 // 3 - 1 : k * 24 // 3 + 1] = 0.01
    panes *= np.float32(power / seen / panes.mean())
    return {
        "type": "rectangle",
        "emitter": {"type": "area", "radiance": bitmap(panes, filter_type="nearest")},
        "bsdf": {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.0}},
        "to_world": transform()
        .look_at(origin=list(where), target=list(target), up=[0, 0, 1])
        .scale([wide, high, 1]),
    }


def _room(power: float, rng: np.random.Generator) -> Plugin:
    """Walls, ceiling and furniture, far away, as light of about the brightness `power`."""
    walls = np.exp(blobs(32, 64, between(rng, 3, 12), rng) * between(rng, 0.2, 0.9))[..., None]
    walls = walls * (any_colour(rng, 120, 250)[::-1] * 0.4 + 0.6)
    walls[: int(rng.integers(6, 14))] *= between(rng, 0.7, 2.5)  # the ceiling
    for _ in range(int(rng.integers(0, 4))):  # more lamps and windows, mirrored in what is smooth
        y, x, h, w = (int(v) for v in rng.integers([2, 0, 1, 1], [13, 60, 5, 8]))
        walls[y : y + h, x : x + w] *= between(rng, 2, 12)
    walls = (walls * power / walls[:16].mean()).astype(np.float32)
    mi = mitsuba()
    return {
        "type": "envmap",
        "bitmap": mi.Bitmap(walls),
        "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),
    }


def _ground(view: View, rng: np.random.Generator) -> tuple[Any, list[Array]]:
    """The table and the corners, in pixels, of dominoes printed on it."""
    texture, reach = surface(GROUND, rng), reach_of(view)
    span = float(np.clip(max(reach[2] - reach[0], reach[3] - reach[1]), 1, 400)) * between(rng, 1.0, 1.4)
    turn = between(rng, 0, 2 * np.pi) if chance(rng, 0.6) else 0.0
    middle = np.array([(reach[0] + reach[2]) / 2, (reach[1] + reach[3]) / 2])
    printed = printed_dominoes(texture, GROUND / span, rng) if chance(rng, 0.04) else []
    c, s = np.cos(turn), np.sin(turn)
    axes = np.array([[c, s], [s, -c]])  # of the texture's columns and rows, on the table
    marks = [
        view.project(np.column_stack([middle + (p / GROUND - 0.5) * span @ axes, np.zeros(4)]))
        for p in printed
    ]
    far = 20.0  # the table goes on, mirrored, beyond its texture
    corners = np.array([[-far, -far], [far, -far], [far, far], [-far, far]])
    plane = Solid(
        np.column_stack([middle + corners * span @ axes, np.zeros(4)]),
        np.tile([0.0, 0, 1], (4, 1)),
        corners + 0.5,
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    shiny = chance(rng, 0.45)
    paint = {
        "type": "principled",
        "base_color": bitmap(linear(texture), wrap_mode="mirror"),
        "roughness": between(rng, 0.08, 0.5) if shiny else between(rng, 0.5, 1),
        "specular": between(rng, 0.3, 0.7) if shiny else between(rng, 0, 0.3),
    }
    return mesh("table", joined([plane])[0], paint), marks


def filtered(radiance: Picture, albedo: Picture, normal: Picture, ids: Ids, levels: int = 3) -> Picture:
    """Less grain: light apart from paint, averaged over ever wider rings of like-lit, like-turned neighbours.

    All (h, w, 3) but `ids` (h, w). After Dammertz et al., Edge-avoiding a-trous wavelet transform (2010).
    """
    light = radiance / (albedo + 0.04)
    guide = np.dstack([normal * 6, ids[..., None].astype(np.float32) * 50])
    for level in range(levels):
        reach, total, weights = 2**level, light.copy(), np.ones((*ids.shape, 1), np.float32)
        tone = np.log(cv2.GaussianBlur(light, (0, 0), 0.8).mean(axis=2) + 0.02)
        wide, wide_guide, wide_tone = (
            cv2.copyMakeBorder(a, reach, reach, reach, reach, cv2.BORDER_REFLECT)
            for a in (light, guide, tone)
        )
        for dy in (0, reach, 2 * reach):
            for dx in (0, reach, 2 * reach):
                if dy == dx == reach:
                    continue
                at = np.s_[dy : dy + ids.shape[0], dx : dx + ids.shape[1]]
                unlike = ((wide_guide[at] - guide) ** 2).sum(axis=2)
                unlike += ((wide_tone[at] - tone) * (4 + 2 * level)) ** 2
                weight = np.exp(-unlike)[..., None] * np.float32(0.5 if dy == reach or dx == reach else 0.25)
                total += wide[at] * weight
                weights += weight
        light = total / weights
    out: Picture = (light * (albedo + 0.04)).astype(np.float32)
    return out


def developed(radiance: Picture, albedo: Picture, rng: np.random.Generator) -> Picture:
    """Linear RGB light to a displayed BGR picture about 0..1, exposed for the usual light on its surfaces."""
    lit = radiance.mean(axis=2) / (albedo.mean(axis=2) + 0.04)
    usual = float(np.median(lit))
    gain = between(rng, 0.8, 1.15) / max(1e-6, 0.7 * usual + 0.3 * float(np.minimum(lit, 4 * usual).mean()))
    exposed = np.maximum(radiance * np.float32(gain), 0)
    bright = np.maximum(exposed - 0.7, 0)
    shouldered = np.minimum(exposed, 0.7) + 0.3 * (1 - np.exp(-bright / 0.3))
    out: Picture = np.ascontiguousarray(shouldered[..., ::-1] ** np.float32(1 / 2.2))
    return out


def seen_things(view: View, solids: Sequence[Solid], owners: Sequence[int]) -> Ids:
    """(h, w) which owner each pixel of a `whole_pixel_view` shows, 0 where none."""
    mi = mitsuba()
    whole, solid_of = joined(solids)
    scene = mi.load_dict(
        {
            "type": "scene",
            "sensor": sensor(view, 1),
            "all": mesh("all", whole, {"type": "diffuse"}),
            "integrator": {"type": "aov", "aovs": "hit:shape_index,face:prim_index"},
        }
    )
    layers = np.rint(np.array(mi.render(scene, spp=1))[..., -2:]).astype(np.int64)
    owner = np.asarray(owners, np.int32)[solid_of]
    return np.where(layers[..., 0] > 0, owner[layers[..., 1].clip(0, len(owner) - 1)], 0).astype(np.int32)


def material(style: SetStyle, colours: Picture) -> Plugin:
    """Plastic, more or less polished; wood is dull."""
    rough = 0.32 * 0.12**style.gloss if style.grain != "wood" else 0.35
    return {
        "type": "roughplastic",
        "distribution": "ggx",
        "alpha": max(0.035, rough),
        "int_ior": 1.5,
        "nonlinear": True,
        "diffuse_reflectance": bitmap(linear(colours)),
    }


def _laid(view: View, style: SetStyle, rng: np.random.Generator) -> list[Placed]:
    """Tiles on the table: of a few arrangements the one that the camera sees most of."""
    reach = reach_of(view)
    room = int(np.clip((reach[2] - reach[0]) * (reach[3] - reach[1]) / 3.0, 1, 36))
    away = float(np.arctan2(-view.position[1], -view.position[0]))
    laid = [lay_tiles(Table(style.length, reach), style.highest, away, room, rng) for _ in range(3)]

    def in_sight(tiles: list[Placed]) -> int:
        pixels = view.project(np.array([(t.x, t.y, 0.0) for t in tiles]).reshape(-1, 3))
        return int(((pixels > 0) & (pixels < (view.width, view.height))).all(axis=1).sum())

    return max(laid, key=in_sight)


def _shapes(
    ground: Any, tiles: Sequence[Thing], others: Sequence[Thing], style: SetStyle, gloss: float
) -> list[Any]:
    """The table, all tiles and all clutter, as one shape each."""
    shapes = [ground]
    for name, group, finish in (("tiles", tiles, style), ("clutter", others, replace(style, gloss=gloss))):
        if group:
            picture, solids = atlas(group)
            shapes.append(mesh(name, joined(solids)[0], material(finish, picture)))
    return shapes


def _traced(view: View, shapes: Sequence[Any], ids: Ids, samples: int, rng: np.random.Generator) -> Picture:
    """The displayed picture of those shapes under some lamps in some room, seen through some lens."""
    mi = mitsuba()
    lights = [_key_light(view, log_between(rng, 0.3, 1.0), rng) for _ in range(2 if chance(rng, 0.4) else 1)]
    distance, aperture = float(np.linalg.norm(view.position)), 1e-4
    if chance(rng, 0.5):
        aperture = distance * between(rng, 0.0005, 0.012) * min(1.0, 14 / distance)
    scene = mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 5},
            "sensor": sensor(view, samples, aperture, distance * between(rng, 0.95, 1.05)),
            "room": _room(log_between(rng, 0.1, 0.9), rng),
            **{f"lamp{k}": light for k, light in enumerate(lights)},
            **{f"shape{k}": shape for k, shape in enumerate(shapes)},
        }
    )
    radiance = np.nan_to_num(np.array(mi.render(scene, spp=samples, seed=int(rng.integers(2**31))))[..., :3])
    guides = mi.load_dict({"type": "aov", "aovs": "paint:albedo,normal:sh_normal"})
    layers = np.array(mi.render(scene, integrator=guides, spp=max(2, samples // 6)))
    albedo, normal = layers[..., -6:-3], layers[..., -3:]
    return developed(filtered(radiance, albedo, normal, ids), albedo, rng)


def traced_scene(
    width: int, height: int, half_px: float, rng: np.random.Generator, samples: int = 12
) -> Scene:
    """A random photograph like `make_scene`'s, in true light; `samples` light paths a pixel."""
    view = whole_pixel_view(random_view(width, height, half_px, rng))
    style = set_style(rng)
    placed = [] if chance(rng, 0.05) else _laid(view, style, rng)
    bodies = [body_of(t, style) for t in placed]
    ground, printed = _ground(view, rng)
    tiles = tile_things(bodies, style, half_px, rng)
    others = clutter_things(bodies, view, reach_of(view), rng)
    shapes = _shapes(ground, tiles, others, style, between(rng, 0, 1))
    solids = [t.solid for t in (*tiles, *others)]
    owners = [*range(1, len(tiles) + 1), *[CLUTTER_ID] * len(others)]
    ids = seen_things(view, solids, owners) if solids else np.zeros((height, width), np.int32)
    image = photograph(_traced(view, shapes, ids, samples, rng), half_px, rng)
    canvas = Canvas(view, image, style, rng)
    canvas.ids = ids
    truths = [canvas.truth(body, number) for number, body in enumerate(bodies, 1)]
    truths += [TrueTile((0, 0), corners, (1.0, 1.0), sure=False) for corners in printed]
    return Scene(image, tuple(t for t in truths if t is not None), half_px)
