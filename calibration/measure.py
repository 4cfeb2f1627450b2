"""From what lies on the table to the profile: four tags, a printed mat, or corners dragged by hand.

Whatever cannot be a flat table seen by a camera is refused, with the reason: a wrong profile would spoil every reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import CalibrationError, Fit, fit, fit_known
from calibration.framing import framed, off_on_plane, quartered, upright
from calibration.mats import MATS, TABLE_TAGS, TAG_SIDE, Mat
from calibration.profile import Lens, Profile
from calibration.shapes import Shapes, quad_area
from calibration.tags import SeenTag, find_tags, is_mirrored
from engine.words import listed, say

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

TAG_TOLERANCE = 0.22
"""How far the corners of flat tags of one size may be from where one camera sees them, root mean square, millimetres."""

UNUSUAL = 12.0
"""Sum of squares, in sigmas, from which on a camera is too odd to be believed."""


def calibrate(image: Image, mats: Sequence[Mat] = MATS) -> Profile:
    """The profile from whatever printed lies in the picture, (H, W, 3) BGR: table tags before mats.

    Raises CalibrationError with the reason where nothing can be measured.
    """
    size = (image.shape[1], image.shape[0])
    tags = find_tags(image)
    table = [tag for tag in tags if tag.id in TABLE_TAGS]
    of_mats = {mat.name: [tag for tag in tags if tag.id in mat.tag_ids] for mat in mats}
    best = max(mats, key=lambda mat: len(of_mats[mat.name]), default=None)
    if best is not None and len(of_mats[best.name]) >= 2 and len(table) < 3:
        return from_mat(of_mats[best.name], size, best)
    if not tags and is_mirrored(image):
        raise CalibrationError(say("The picture is mirrored: switch the camera's mirroring off."))
    return from_tags(table, size)


def from_tags(tags: Sequence[SeenTag], size: tuple[int, int], side_mm: float = TAG_SIDE) -> Profile:
    """The profile from the four table tags, wherever they lie; three do, with a warning.

    size: (width, height) of the picture. The origin is in the middle of the tags, the area reaches to their outer corners.
    Raises CalibrationError.
    """
    tags = sorted((tag for tag in tags if tag.id in TABLE_TAGS), key=lambda tag: tag.id)
    twice = [id for id, count in Counter(tag.id for tag in tags).items() if count > 1]
    if twice:
        raise CalibrationError(say("Tag {tag} is seen more than once: lay each of the tags 0 to 3 on the table once.",
                                   tag=twice[0]))
    clear = [tag for tag in tags if tag.fit > 0.4]
    missing = [str(id) for id in TABLE_TAGS if id not in {tag.id for tag in clear}]
    if len(clear) < 3:
        lost = listed(missing)
        raise CalibrationError(say("{number} of the four table tags can be seen clearly; look for tag {lost}.",
                                   number=len(clear), lost=lost))
    corners = np.array([tag.corners for tag in clear])
    found = fit(Shapes(corners, side_mm, side_mm), size)
    off = off_on_plane(found, corners)
    if np.sqrt((off**2).sum(axis=2).mean()) > TAG_TOLERANCE:
        raise CalibrationError(_which_tag(clear, size, side_mm))
    centres = np.array([each.mean(axis=0) for each in found.plane])
    origin, turn = _frame_of_tags(found, centres)
    notes = [say("Tag {tag} was not seen: three tags do, but not as well.", tag=missing[0])] if missing else []
    return framed(found, size, "tags", origin, turn, found.plane.reshape(-1, 2), 0.0, off, notes)


def from_mat(tags: Sequence[SeenTag], size: tuple[int, int], mat: Mat, reach_mm: float = 450.0) -> Profile:
    """The profile from a printed mat alone, two or more of its tags seen.

    The origin is in the middle of the mat, x along it, turned by quarters so that the camera sees it to the right; the area
    is what the camera sees of the table up to `reach_mm` from there. Raises CalibrationError.
    """
    places = {tag.id: tag.box.corners for tag in mat.tags}
    own = [tag for tag in tags if tag.id in places and tag.fit > 0.4]
    if any(count > 1 for count in Counter(tag.id for tag in own).values()):
        raise CalibrationError(say("A tag of the {name} mat is seen more than once: lay one such mat on the table.",
                                   name=mat.name))
    if len(own) < 2:
        raise CalibrationError(say("{number} of the {name} mat's tags can be seen; at least two are needed.", number=len(own),
                                   name=mat.name))
    middle = np.array([mat.width, mat.height]) / 2
    plane = np.concatenate([places[tag.id] for tag in own]) - middle
    corners = np.array([tag.corners for tag in own])
    found = fit_known(plane, corners.reshape(-1, 2), size, 0.1)
    off = off_on_plane(found, corners.reshape(1, -1, 2))
    if np.sqrt((off**2).sum(axis=2).mean()) > 4 * TAG_TOLERANCE:
        raise CalibrationError(say("The {name} mat does not lie flat, or was not printed at 100 %.", name=mat.name))
    quarter = np.pi / 2 * round(float(upright(found, np.zeros(2)) / (np.pi / 2)))
    notes = [say("Far from the mat the millimetres are less sure: table tags near the corners measure better.")]
    whole = np.array([(-reach_mm, -reach_mm), (reach_mm, reach_mm)])
    return framed(found, size, "mat", np.zeros(2), quarter, whole, 0.0, off, notes, within_picture=True)


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


def from_corners(
    corners: Array, size: tuple[int, int], width_mm: float | None = None, height_mm: float | None = None
) -> Profile:
    """The profile from the corners of a rectangle on the table and the length of one side, or of both.

    corners: (4, 2) pixels, in the order upper left, upper right, lower right, lower left. Raises CalibrationError.
    """
    corners = np.asarray(corners, np.float64)
    _check_quad(corners, size)
    if width_mm is None and height_mm is None:
        raise CalibrationError(say("One side's length must be known: measure the upper edge or the left edge, in millimetres."))
    for told in (width_mm, height_mm):
        if told is not None and not 50 <= told <= 5000:
            raise CalibrationError(say("A side of {length} mm is no table's: measure in millimetres.", length=f"{told:g}"))
    tolerance = 0.006 * max(size)  # nobody drags better than that
    notes: list[str] = []
    if width_mm is None or height_mm is None:
        ratio, sure = _proportion(corners, size)
        width = width_mm if width_mm is not None else (height_mm or 0.0) * ratio
        height = height_mm if height_mm is not None else width / ratio
        if not sure:
            notes.append(say("The proportions are those a usual camera would see: give both sides' lengths to be sure."))
    else:
        width, height = width_mm, height_mm
    plane = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    found = fit_known(plane, corners, size, tolerance / 2)
    off = off_on_plane(found, corners[None])
    worst = float(np.sqrt((found.residuals**2).sum(axis=2)).max())
    if worst > 2 * tolerance or found.cost > UNUSUAL:  # four corners fit some camera always, but hardly a usual one
        raise CalibrationError(say(
            "No camera sees a rectangle of {width} x {height} mm with these corners: check the lengths, and drag the corners to "
            "the corners of one rectangle.", width=f"{width:.0f}", height=f"{height:.0f}"))
    notes.append(say("Corners dragged by hand: lay table tags to measure the lens, too."))
    return framed(found, size, "corners", np.zeros(2), 0.0, plane, 0.0, off, notes)


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


def _which_tag(tags: Sequence[SeenTag], size: tuple[int, int], side_mm: float) -> str:
    """Why tags do not fit together, naming the one that does not fit to the others."""
    general = (say("The tags do not lie flat on one table, or are not of one size: print them at 100 % and lay them on the "
                   "table itself."))
    if len(tags) < 4:
        return general
    tried: list[tuple[float, SeenTag, Fit]] = []
    for tag in tags:
        others = np.array([other.corners for other in tags if other is not tag])
        try:
            found = fit(Shapes(others, side_mm, side_mm), size)
        except CalibrationError:
            continue
        tried.append((float(np.sqrt((off_on_plane(found, others) ** 2).sum(axis=2).mean())), tag, found))
    tried.sort(key=lambda each: each[0])
    if not tried or tried[0][0] > TAG_TOLERANCE or (len(tried) > 1 and tried[1][0] < 2 * tried[0][0]):
        return general
    _, tag, found = tried[0]
    ratio = float(np.sqrt(abs(quad_area(found.to_plane(tag.corners)[None])[0]))) / side_mm
    looks = round(100 * abs(ratio - 1))
    if ratio > 1:
        return say("Tag {tag} looks {percent} % larger than the others: it lies on something, or was printed at another scale.",
                   tag=tag.id, percent=looks)
    return say("Tag {tag} looks {percent} % smaller than the others: it lies on something, or was printed at another scale.",
               tag=tag.id, percent=looks)


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
    return origin, quartered(upright(found, origin), np.arctan2(edges[:, 1], edges[:, 0]), 0.5)


def _check_quad(corners: Array, size: tuple[int, int]) -> None:
    """Refuse what cannot be a rectangle's picture: crossed, dented, mirrored, tiny."""
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CalibrationError(say("Four corners are needed."))
    edges = np.roll(corners, -1, axis=0) - corners
    ahead = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0]
    if (turns < 0).all():
        raise CalibrationError(say("The corners run the wrong way round, as in a mirror: upper left, upper right, lower right, "
                                   "lower left is the order."))
    if not (turns > 0).all():
        raise CalibrationError(say("The corners cross or make a dent: a table's four corners never look so."))
    lengths = np.linalg.norm(edges, axis=1)
    sines = turns / (lengths * np.roll(lengths, -1))
    if lengths.min() < 0.03 * max(size) or sines.min() < np.sin(np.radians(12)):
        raise CalibrationError(say("The corners are too close together, or nearly in one line: the camera looks too flat."))


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
            raise CalibrationError(say("No camera sees a rectangle with these corners: drag them to the corners of one "
                                       "rectangle."))
        focal, sure = float(np.sqrt(told)), True
    sides = [np.hypot(np.hypot(h[0, i], h[1, i]) / focal, h[2, i]) for i in (0, 1)]
    flat = bool(np.abs(h[2, :2]).max() < 0.03)
    return float(sides[0] / sides[1]), sure or flat
