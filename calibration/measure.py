"""From what lies on the table to the profile: four tags, a printed mat, dominoes, or corners dragged by hand.

Whatever cannot be a flat table seen by a camera is refused, with the reason: a wrong profile would spoil every reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import CalibrationError, Fit, Shapes, fit, fit_known, quad_area, uncertainty
from calibration.mats import MATS, TABLE_TAGS, TAG_SIDE, Mat
from calibration.pips import half_middles
from calibration.profile import Lens, Method, Profile
from calibration.tags import SeenTag, find_tags, is_mirrored

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

TAG_TOLERANCE = 0.22
"""How far the corners of flat tags of one size may be from where one camera sees them, root mean square, millimetres."""

STEEPEST = np.radians(65)
"""More oblique than this nothing can be measured well."""

UNUSUAL = 12.0
"""Sum of squares, in sigmas, from which on a camera is too odd to be believed."""

TILE_THICKNESS = 10.0
"""Of usual tiles, millimetres: their faces are that much above the table."""

DOUBTFUL_MM = 3.2
"""Dominoes that tell the table worse than this, root mean square, are too few or too close together."""

SIZE_TOLERANCE = 0.045
"""How much the sizes of half the tiles may differ from the usual one, as they are seen."""

TILE_TOLERANCE, LOOSE_TOLERANCE, MIDDLE_TOLERANCE = 0.05, 0.1, 0.015
"""How far a tile's outline may be off to count as fitting, of its length; and where its pips are known, too, its outline and
the middles of its halves."""


def calibrate(image: Image, mats: Sequence[Mat] = MATS) -> Profile:
    """The profile from whatever printed lies in the picture, (H, W, 3) BGR: table tags before mats.

    Raises CalibrationError with the reason where nothing can be measured.
    """
    size = (image.shape[1], image.shape[0])
    tags = find_tags(image)
    table = [tag for tag in tags if tag.id in TABLE_TAGS]
    of_mats = {mat.name: [tag for tag in tags if tag.id in {own.id for own in mat.tags}] for mat in mats}
    best = max(mats, key=lambda mat: len(of_mats[mat.name]), default=None)
    if best is not None and len(of_mats[best.name]) >= 2 and len(table) < 3:
        return from_mat(of_mats[best.name], size, best)
    if not tags and is_mirrored(image):
        raise CalibrationError("The picture is mirrored: switch the camera's mirroring off.")
    return from_tags(table, size)


def from_tags(tags: Sequence[SeenTag], size: tuple[int, int], side_mm: float = TAG_SIDE) -> Profile:
    """The profile from the four table tags, wherever they lie; three do, with a warning.

    size: (width, height) of the picture. The origin is in the middle of the tags, the area reaches to their outer corners.
    Raises CalibrationError.
    """
    tags = sorted((tag for tag in tags if tag.id in TABLE_TAGS), key=lambda tag: tag.id)
    twice = [id for id, count in Counter(tag.id for tag in tags).items() if count > 1]
    if twice:
        raise CalibrationError(f"Tag {twice[0]} is seen more than once: lay each of the tags 0 to 3 on the table once.")
    clear = [tag for tag in tags if tag.fit > 0.4]
    missing = [str(id) for id in TABLE_TAGS if id not in {tag.id for tag in clear}]
    if len(clear) < 3:
        lost = " and ".join(missing)
        raise CalibrationError(f"{len(clear)} of the four table tags can be seen clearly; look for tag {lost}.")
    corners = np.array([tag.corners for tag in clear])
    found = fit(Shapes(corners, side_mm, side_mm), size)
    off = _off(found, corners)
    if np.sqrt((off**2).sum(axis=2).mean()) > TAG_TOLERANCE:
        raise CalibrationError(_which_tag(clear, size, side_mm))
    centres = np.array([each.mean(axis=0) for each in found.plane])
    origin, turn = _frame_of_tags(found, centres)
    notes = [f"Tag {missing[0]} was not seen: three tags do, but not as well."] if missing else []
    return _profile(found, size, "tags", origin, turn, found.plane.reshape(-1, 2), 0.0, off, notes)


def from_mat(tags: Sequence[SeenTag], size: tuple[int, int], mat: Mat, reach_mm: float = 450.0) -> Profile:
    """The profile from a printed mat alone, two or more of its tags seen.

    The origin is in the middle of the mat, x along it, turned by quarters so that the camera sees it to the right; the area
    is what the camera sees of the table up to `reach_mm` from there. Raises CalibrationError.
    """
    places = {tag.id: tag.box.corners for tag in mat.tags}
    own = [tag for tag in tags if tag.id in places and tag.fit > 0.4]
    if any(count > 1 for count in Counter(tag.id for tag in own).values()):
        raise CalibrationError(f"A tag of the {mat.name} mat is seen more than once: lay one such mat on the table.")
    if len(own) < 2:
        raise CalibrationError(f"{len(own)} of the {mat.name} mat's tags can be seen; at least two are needed.")
    middle = np.array([mat.width, mat.height]) / 2
    plane = np.concatenate([places[tag.id] for tag in own]) - middle
    corners = np.array([tag.corners for tag in own])
    found = fit_known(plane, corners.reshape(-1, 2), size, 0.1)
    off = _off(found, corners.reshape(1, -1, 2))
    if np.sqrt((off**2).sum(axis=2).mean()) > 4 * TAG_TOLERANCE:
        raise CalibrationError(f"The {mat.name} mat does not lie flat, or was not printed at 100 %.")
    quarter = np.pi / 2 * round(float(_upright(found, np.zeros(2)) / (np.pi / 2)))
    notes = ["Far from the mat the millimetres are less sure: table tags near the corners measure better."]
    whole = np.array([(-reach_mm, -reach_mm), (reach_mm, reach_mm)])
    return _profile(found, size, "mat", np.zeros(2), quarter, whole, 0.0, off, notes, within_picture=True)


def place_of(mat: Mat, tags: Sequence[SeenTag], profile: Profile) -> tuple[float, float, float] | None:
    """Where a mat lies: x and y of its upper left corner and its turn in the table frame; None where no tag of it is seen."""
    places = {tag.id: tag.box.corners for tag in mat.tags}
    own = [tag for tag in tags if tag.id in places]
    if not own:
        return None
    printed = np.concatenate([places[tag.id] for tag in own])
    there = profile.to_table(np.concatenate([tag.corners for tag in own]))
    rotation, shift = rigid(printed, there)
    return (float(shift[0]), float(shift[1]), float(np.arctan2(rotation[1, 0], rotation[0, 0])))


def rigid(source: Array, target: Array) -> tuple[Array, Array]:
    """(2, 2) rotation and (2,) shift that bring (n, 2) points nearest to others (Kabsch)."""
    a, b = source - source.mean(axis=0), target - target.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    turn = (u @ np.diag([1.0, float(np.sign(np.linalg.det(u @ v)))]) @ v).T
    return turn, target.mean(axis=0) - turn @ source.mean(axis=0)


def from_tiles(
    quads: Array, size: tuple[int, int], length_mm: float, thickness_mm: float = TILE_THICKNESS,
    image: Image | None = None, ends: Sequence[tuple[int, int]] = (),
) -> Profile:  # fmt: skip
    """The profile from dominoes lying flat on the table, all of one size.

    quads: (n, 4, 2) pixels, the corners of their faces clockwise as seen, starting at either end's first corner as the
    reader gives them (corners 0 and 1 at one end). length_mm: of a tile; its width follows, near half of it. The profile is
    of the table; the faces are `thickness_mm` above it (see `raised`). image, ends: the picture and the pips of each tile's
    first and second half; with them the tiles are measured by their pips, several times as well. Raises CalibrationError.
    """
    quads = np.asarray(quads, np.float64)[:, [1, 2, 3, 0]]
    if len(quads) < 6:
        raise CalibrationError(f"{len(quads)} dominoes are seen; lay at least ten face up, spread over the table.")
    if (quad_area(quads) < 0).mean() > 0.5:
        raise CalibrationError("The picture is mirrored: switch the camera's mirroring off.")
    upright = quad_area(quads) > 0
    quads, ends = quads[upright], [pair for pair, good in zip(ends, upright, strict=False) if good]
    shapes = _tile_shapes(quads, quads, length_mm, image, ends)
    found = fit(shapes, size, robust=True)
    if shapes.middles is not None:  # outlines that are explained show more halves rightly
        shapes = _tile_shapes(quads, quads - found.residuals, length_mm, image, ends)
        found = fit(shapes, size, robust=True)
    off = _off(found, quads)
    distance = np.sqrt((off**2).sum(axis=2).mean(axis=1))
    seen = off + found.plane
    spread = np.log(quad_area(seen) / quad_area(found.plane)) / 2
    if float(np.median(np.abs(spread - np.median(spread)))) > SIZE_TOLERANCE:
        raise CalibrationError("The dominoes seem to be of different sizes: lay out one set only, flat on the table.")
    fits = distance < (TILE_TOLERANCE if shapes.middles is None else LOOSE_TOLERANCE) * length_mm
    fits &= _middles_fit(found, shapes, MIDDLE_TOLERANCE * length_mm)
    if fits.sum() < max(6, 0.75 * len(quads)):
        raise CalibrationError(f"Only {int(fits.sum())} of {len(quads)} dominoes fit together as tiles of one size lying flat: "
                               "are there two sizes, or do some lean?")
    if not fits.all():
        shapes = replace(shapes, corners=quads[fits], middles=None if shapes.middles is None else shapes.middles[fits],
                         middle_noise=None if shapes.middle_noise is None else shapes.middle_noise[fits])
        found = fit(shapes, size, robust=True)
    off = _off(found, quads[fits])
    doubt = uncertainty(found, quads[fits].reshape(-1, 2))
    if doubt > DOUBTFUL_MM:
        raise CalibrationError(f"These {int(fits.sum())} dominoes tell the table's millimetres to {doubt:.0f} mm only: "
                               "lay more of them, farther apart, or use table tags.")
    centre = found.plane.reshape(-1, 2)
    origin = (centre.min(axis=0) + centre.max(axis=0)) / 2
    along = found.plane[:, 1] - found.plane[:, 0]
    turn = _quartered(_upright(found, origin), np.arctan2(along[:, 1], along[:, 0]), 0.7)
    notes = [f"Measured from {int(fits.sum())} dominoes of {length_mm:g} mm: table tags measure better."]
    grown = np.concatenate([centre + d for d in ((-length_mm, -length_mm), (length_mm, length_mm))])
    return _profile(found, size, "tiles", origin, turn, grown, thickness_mm, off, notes, within_picture=True)


def _middles_fit(found: Fit, shapes: Shapes, tolerance_mm: float) -> NDArray[np.bool_]:
    """(n,) whether the middles of the halves that are known lie where the fit has them."""
    if shapes.middles is None or shapes.middle_noise is None:
        return np.ones(len(shapes.corners), np.bool_)
    straight = found.lens.straight(shapes.middles.reshape(-1, 2))
    seen = cv2.perspectiveTransform(straight[:, None], np.linalg.inv(found.homography)).reshape(-1, 2, 2)
    ends = (found.plane[:, [0, 1]] + found.plane[:, [3, 2]]) / 2
    meant = ends * 0.75 + ends[:, ::-1] * 0.25
    off = np.where(shapes.middle_noise < 1e5, np.linalg.norm(seen - meant, axis=2), 0.0)
    return np.asarray(off.max(axis=1) < tolerance_mm, np.bool_)


def _tile_shapes(quads: Array, around: Array, length_mm: float, image: Image | None, ends: Sequence[tuple[int, int]]) -> Shapes:
    """The outlines `quads`, and where a picture shows the middles of the halves of tiles that lie `around` there."""
    side = float(np.median(np.sqrt(quad_area(quads))))
    if image is None or len(ends) != len(quads):
        return Shapes(quads, length_mm, length_mm / 2, slack=0.03, noise=max(0.3, 0.012 * side))
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    middles, pips = half_middles(grey, around, ends)
    noise = np.where(pips > 0, 0.003 * side + 0.15 / np.sqrt(np.maximum(pips, 1)), np.inf)
    if (pips > 0).sum() < 8:
        return Shapes(quads, length_mm, length_mm / 2, slack=0.03, noise=max(0.3, 0.012 * side))
    return Shapes(quads, length_mm, length_mm / 2, 0.03, 0.1 * side, middles, np.minimum(noise, 1e6))


def from_corners(
    corners: Array, size: tuple[int, int], width_mm: float | None = None, height_mm: float | None = None
) -> Profile:
    """The profile from the corners of a rectangle on the table and the length of one side, or of both.

    corners: (4, 2) pixels, in the order upper left, upper right, lower right, lower left. Raises CalibrationError.
    """
    corners = np.asarray(corners, np.float64)
    _check_quad(corners, size)
    if width_mm is None and height_mm is None:
        raise CalibrationError("One side's length must be known: measure the upper edge or the left edge, in millimetres.")
    for told in (width_mm, height_mm):
        if told is not None and not 50 <= told <= 5000:
            raise CalibrationError(f"A side of {told:g} mm is no table's: measure in millimetres.")
    tolerance = 0.006 * max(size)  # nobody drags better than that
    notes: list[str] = []
    if width_mm is None or height_mm is None:
        ratio, sure = _proportion(corners, size)
        width = width_mm if width_mm is not None else (height_mm or 0.0) * ratio
        height = height_mm if height_mm is not None else width / ratio
        if not sure:
            notes.append("The proportions are those a usual camera would see: give both sides' lengths to be sure.")
    else:
        width, height = width_mm, height_mm
    plane = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    found = fit_known(plane, corners, size, tolerance / 2)
    off = _off(found, corners[None])
    worst = float(np.sqrt((found.residuals**2).sum(axis=2)).max())
    if worst > 2 * tolerance or found.cost > UNUSUAL:  # four corners fit some camera always, but hardly a usual one
        raise CalibrationError(f"No camera sees a rectangle of {width:.0f} x {height:.0f} mm with these corners: "
                               "check the lengths, and drag the corners to the corners of one rectangle.")
    notes.append("Corners dragged by hand: lay table tags to measure the lens, too.")
    return _profile(found, size, "corners", np.zeros(2), 0.0, plane, 0.0, off, notes)


def raised(profile: Profile, height_mm: float) -> Profile:
    """The profile of the plane that high above the table, as tiles' faces are; the frame stays upright above itself.

    Where the lens is not known, one that fits the perspective is taken.
    """
    inner, pose = _pose(profile)
    down = np.cross(pose[:, 0], pose[:, 1])
    pose[:, 2] -= height_mm * down / np.linalg.norm(down)
    return replace(profile, homography=np.asarray(np.linalg.inv(inner @ pose), np.float64))


def camera_distance(profile: Profile) -> float:
    """From the camera to the middle of the play area, millimetres."""
    _, pose = _pose(profile)
    x0, y0, x1, y1 = profile.area
    return float(np.linalg.norm(pose @ np.array([(x0 + x1) / 2, (y0 + y1) / 2, 1.0])))


def _pose(profile: Profile) -> tuple[Array, Array]:
    """The pinhole's matrix, and (3, 3) the table's x axis, y axis and origin before it, millimetres."""
    inner = profile.lens.matrix if profile.lens else _usual_lens(profile.size).matrix
    pose = np.linalg.inv(inner) @ profile.inverse
    pose /= (np.linalg.norm(pose[:, 0]) + np.linalg.norm(pose[:, 1])) / 2 * np.sign(pose[2, 2])
    return inner, pose


def _usual_lens(size: tuple[int, int]) -> Lens:
    focal = 0.85 * max(size)
    return Lens(np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]]), np.zeros(5))


def _off(found: Fit, corners: Array) -> Array:
    """(n, m, 2) millimetres on the plane from where the fit has the corners to where they are seen."""
    straight = found.lens.straight(corners.reshape(-1, 2))
    seen = cv2.perspectiveTransform(straight[:, None], np.linalg.inv(found.homography))
    return np.asarray(seen, np.float64).reshape(corners.shape) - found.plane


def _which_tag(tags: Sequence[SeenTag], size: tuple[int, int], side_mm: float) -> str:
    """Why tags do not fit together, naming the one that does not fit to the others."""
    general = ("The tags do not lie flat on one table, or are not of one size: "
               "print them at 100 % and lay them on the table itself.")
    if len(tags) < 4:
        return general
    tried: list[tuple[float, SeenTag, Fit]] = []
    for tag in tags:
        others = np.array([other.corners for other in tags if other is not tag])
        try:
            found = fit(Shapes(others, side_mm, side_mm), size)
        except CalibrationError:
            continue
        tried.append((float(np.sqrt((_off(found, others) ** 2).sum(axis=2).mean())), tag, found))
    tried.sort(key=lambda each: each[0])
    if not tried or tried[0][0] > TAG_TOLERANCE or (len(tried) > 1 and tried[1][0] < 2 * tried[0][0]):
        return general
    _, tag, found = tried[0]
    straight = found.lens.straight(tag.corners)
    seen = cv2.perspectiveTransform(straight[:, None], np.linalg.inv(found.homography)).reshape(1, 4, 2)
    ratio = float(np.sqrt(abs(quad_area(seen)[0]))) / side_mm
    looks = f"{100 * abs(ratio - 1):.0f} % {'larger' if ratio > 1 else 'smaller'} than the others"
    return f"Tag {tag.id} looks {looks}: it lies on something, or was printed at another scale."


def _frame_of_tags(found: Fit, centres: Array) -> tuple[Array, float]:
    """The middle of the tags and the direction of the table's x axis, on the plane."""
    if len(centres) == 3:  # the fourth corner of a rectangle lies opposite the tag between the longest two
        pairs = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
        a, b, _ = max(pairs, key=lambda pair: float(np.linalg.norm(centres[pair[0]] - centres[pair[1]])))
        origin = (centres[a] + centres[b]) / 2
    else:
        origin = centres.mean(axis=0)
    around = centres[np.argsort(np.arctan2(*(centres - origin).T[::-1]))]
    edges = np.roll(around, -1, axis=0) - around
    if len(centres) == 3:
        edges = edges[np.argsort(np.linalg.norm(edges, axis=1))[:2]]
    return origin, _quartered(_upright(found, origin), np.arctan2(edges[:, 1], edges[:, 0]), 0.5)


def _upright(found: Fit, at: Array) -> float:
    """Direction on the plane that the camera sees as to the right, at a place of it."""
    ends = cv2.perspectiveTransform(np.array([[at, at + (1, 0)]], np.float64), found.homography)[0]
    right = ends[1] - ends[0]
    down = cv2.perspectiveTransform(np.array([[at, at + (0, 1)]], np.float64), found.homography)[0][1] - ends[0]
    onto = np.linalg.solve(np.column_stack([right, down]), np.array([1.0, 0.0]))
    return float(np.arctan2(onto[1], onto[0]))


def _quartered(upright: float, directions: Array, agreement: float) -> float:
    """Of the four directions that most edges have, the one nearest to `upright`; that itself where they do not agree."""
    mean = np.exp(4j * directions).mean()
    if abs(mean) < agreement:
        return upright
    turn = float(np.angle(mean)) / 4
    return turn + np.pi / 2 * round((upright - turn) / (np.pi / 2))


def _profile(
    found: Fit, size: tuple[int, int], method: Method, origin: Array, turn: float, reach: Array, height_mm: float,
    off: Array, notes: Sequence[str], within_picture: bool = False,
) -> Profile:  # fmt: skip
    """The profile of the table `height_mm` under the fit's plane; its area bounds `reach`, (n, 2) on that plane."""
    if found.tilt > STEEPEST:
        raise CalibrationError(f"The camera looks too flat over the table ({np.degrees(found.tilt):.0f} degrees from straight "
                               "down): raise it, or tilt it down.")
    c, s = np.cos(turn), np.sin(turn)
    own_to_plane = np.array([[c, -s, origin[0]], [s, c, origin[1]], [0, 0, 1]])
    local = (reach - origin) @ own_to_plane[:2, :2]
    x0, y0, x1, y1 = (float(v) for v in (*local.min(axis=0), *local.max(axis=0)))
    translation = found.translation + height_mm * found.rotation[:, 2]
    columns = np.column_stack([found.rotation[:, 0], found.rotation[:, 1], translation])
    homography = np.linalg.inv(found.lens.matrix @ columns @ own_to_plane)
    error = float(np.sqrt((off**2).sum(axis=2).mean()))
    profile = Profile(size, homography / homography[2, 2], (x0, y0, x1, y1), method, error, found.lens, tuple(notes))
    if within_picture:
        profile = replace(profile, area=_seen_area(profile))
    _check_area(profile)
    return profile


def _seen_area(profile: Profile) -> tuple[float, float, float, float]:
    """The profile's area, its sides drawn in until the camera sees all of it."""
    area = np.array(profile.area)
    for _ in range(60):
        x0, y0, x1, y1 = area
        edges = ([(x0, y0), (x0, (y0 + y1) / 2), (x0, y1)], [(x0, y0), ((x0 + x1) / 2, y0), (x1, y0)],
                 [(x1, y0), (x1, (y0 + y1) / 2), (x1, y1)], [(x0, y1), ((x0 + x1) / 2, y1), (x1, y1)])
        beyond = np.array([[_beyond(profile, np.array([point])) for point in edge] for edge in edges])
        if beyond.max() <= 0:
            break
        outside = (beyond > 0).sum(axis=1)  # a corner is the end of two sides: the one that is all outside goes first
        worst = beyond.max(axis=1) * (outside == outside.max())
        area[int(worst.argmax())] *= 0.94
    return (float(area[0]), float(area[1]), float(area[2]), float(area[3]))


def _beyond(profile: Profile, points: Array) -> float:
    """How far the farthest of (n, 2) millimetres lies outside the picture, pixels; negative inside."""
    depth = np.column_stack([points, np.ones(len(points))]) @ profile.inverse[2]
    if (depth * np.sign(profile.inverse[2, 2]) < 0.05 * abs(profile.inverse[2, 2])).any():
        return 1e9
    pixels = profile.to_picture(points)
    width, height = profile.size
    return float(np.max([-pixels, pixels - (width - 1, height - 1)]))


def _check_area(profile: Profile) -> None:
    """Refuse areas that reach to the horizon or hardly into the picture."""
    x0, y0, x1, y1 = profile.area
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    depth = np.column_stack([corners, np.ones(4)]) @ profile.inverse[2] * np.sign(profile.inverse[2, 2])
    if depth.min() < 0.15 * depth.max():
        raise CalibrationError("The horizon lies within the play area, or nearly: the camera looks too flat over the table.")
    if min(x1 - x0, y1 - y0) < 60:
        raise CalibrationError("What was found covers only a small spot: spread it over the table.")


def _check_quad(corners: Array, size: tuple[int, int]) -> None:
    """Refuse what cannot be a rectangle's picture: crossed, dented, mirrored, tiny."""
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CalibrationError("Four corners are needed.")
    edges = np.roll(corners, -1, axis=0) - corners
    ahead = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0]
    if (turns < 0).all():
        raise CalibrationError("The corners run the wrong way round, as in a mirror: "
                               "upper left, upper right, lower right, lower left is the order.")
    if not (turns > 0).all():
        raise CalibrationError("The corners cross or make a dent: a table's four corners never look so.")
    lengths = np.linalg.norm(edges, axis=1)
    sines = turns / (lengths * np.roll(lengths, -1))
    if lengths.min() < 0.03 * max(size) or sines.min() < np.sin(np.radians(12)):
        raise CalibrationError("The corners are too close together, or nearly in one line: the camera looks too flat.")


def _proportion(corners: Array, size: tuple[int, int]) -> tuple[float, bool]:
    """Width over height of the rectangle seen with these corners, and whether the perspective alone tells.

    A rectangle's sides meet at right angles, which gives the focal length where both pairs run together in the picture
    (Zhang and He, Whiteboard scanning and image enhancement, 2003); else a usual one is taken.
    """
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    about = (corners - (np.array(size) - 1) / 2) / max(size)
    h = np.asarray(cv2.getPerspectiveTransform(square, about.astype(np.float32)), np.float64)
    focal, sure = 0.85, False
    both = h[2, 0] * h[2, 1]
    if abs(both) > 0.02:
        told = -(h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1]) / both
        if told <= 0.3**2 or told > 6**2:
            raise CalibrationError("No camera sees a rectangle with these corners: drag them to the corners of one rectangle.")
        focal, sure = float(np.sqrt(told)), True
    sides = [np.hypot(np.hypot(h[0, i], h[1, i]) / focal, h[2, i]) for i in (0, 1)]
    flat = bool(np.abs(h[2, :2]).max() < 0.03)
    return float(sides[0] / sides[1]), sure or flat
