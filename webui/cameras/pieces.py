"""Where players show their pieces to the camera, so that a set with marks of its own is read as well as any: step by step, each
looked at until it is right, and kept with the table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from engine.words import listed, say
from vision.exposure import whiteness
from vision.frame import Frame
from vision.piece_crops import face_levels
from vision.piece_sets import COMMON, SUIT_WORDS, VALUE_WORDS, PieceSet, Step, showing
from vision.pieces import FoundPiece, PieceReader, upper_faces, version
from vision.showing import SHOWN, Showing, in_order
from webui.cameras.stand import jpeg_of

NAME = "own"

FAINT = 25.0
"""Faces that differ in themselves by fewer levels are mostly misread (docs/log.md)."""

BRIGHT = 250.0
"""From this level on a camera sees nothing but white."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the camera sees of a step. row: the pieces in the order in which they are understood; what is seen where they are not
    as many as they should be. problem: a sentence then."""

    frame: Frame
    profile: Profile
    row: list[FoundPiece] = field(default_factory=list)
    problem: str = ""


class PieceDesk:
    """The players' own pieces, kept in a file; any method may be called from any thread.

    newest: the camera's newest frame. profile: how it stands. changed: is told of other pieces. reader: makes what reads them.
    bright: is told how bright they are, see `vision.exposure.whiteness`.
    """

    def __init__(
        self, file: Path, newest: Callable[[], Frame | None], profile: Callable[[], Profile | None],
        changed: Callable[[PieceSet], None] = lambda own: None, reader: Callable[[], PieceReader] = PieceReader,
        bright: Callable[[float], None] = lambda white: None,
    ) -> None:  # fmt: skip
        self._file, self._newest, self._profile, self._changed, self._make = file, newest, profile, changed, reader
        self._bright = bright
        self._reader: PieceReader | None = None
        self._doing = threading.Lock()
        self._showing: Showing | None = None
        self._look: Look | None = None
        self.own, self.problem = COMMON, ""
        try:
            self.own = PieceSet.load(file, version())
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            self.problem = str(error)

    def begin(self) -> None:
        """Begin to show a set: all sides of its coins, dice and pawns."""
        with self._doing:
            self._showing, self._look = Showing(showing()), None

    def stop(self) -> None:
        """Show no more; what is kept stays."""
        with self._doing:
            self._showing = self._look = None

    def look(self) -> None:
        """Look for the pieces of the step in the newest picture."""
        with self._doing:
            shown, frame, profile = self._going(), self._newest(), self._profile()
            if frame is None or profile is None:
                self._look = None
                return
            found = self._read(frame, profile, shown.learnt(NAME, version()) if shown.rounds else COMMON)
            try:
                self._look = Look(frame, profile, in_order(found, shown.step, profile.to_picture))
            except ValueError as error:
                self._look = Look(frame, profile, found, str(error))
            self._bright(whiteness(frame.image, upper_faces(self._look.row, profile)))

    def take(self) -> None:
        """The last look was right: on to the next step. ValueError, with a sentence, where it was not."""
        with self._doing:
            shown, look = self._going(), self._look
            if look is None:
                raise ValueError(say("There is no picture yet."))
            if look.problem:
                raise ValueError(look.problem)
            if shown.rounds:  # read by what was learnt; what common marks tell is learnt from
                common = self._read(look.frame, look.profile, COMMON)
                self._showing = shown.take(in_order(common, shown.step, look.profile.to_picture), look.row)
            else:
                self._showing = shown.take(look.row)
            self._look = None

    def back(self) -> None:
        """The step before was not right after all."""
        with self._doing:
            self._showing, self._look = self._going().back(), None

    def keep(self) -> None:
        """Read the pieces from now on as the whole rounds showed them. ValueError where there was none."""
        with self._doing:
            shown = self._going()
            if not shown.rounds:
                raise ValueError(say("Show every step first."))
            self._have(shown.learnt(NAME, version()))
            self._showing = self._look = None

    def have(self, own: PieceSet) -> None:
        """Keep these pieces."""
        with self._doing:
            self._have(own)

    def forget(self) -> None:
        """Read pieces by the marks of common editions again."""
        with self._doing:
            self._file.unlink(missing_ok=True)
            self._own(COMMON)

    def _have(self, own: PieceSet) -> None:
        own.save(self._file)
        self._own(own)

    def _own(self, own: PieceSet) -> None:
        self.own, self.problem = own, ""
        self._changed(own)

    def _going(self) -> Showing:
        if self._showing is None:
            raise ValueError(say("No pieces are being shown."))
        return self._showing

    def _read(self, frame: Frame, profile: Profile, own: PieceSet) -> list[FoundPiece]:
        if frame.image.shape[1::-1] != profile.size:
            raise ValueError(say("The picture has another size than the camera that was measured: measure again."))
        self._reader = self._reader or self._make()
        return self._reader.read(frame.image, profile, own, least=SHOWN)

    def closeup(self) -> bytes | None:
        """The part of the picture looked at last that shows the pieces, JPEG; None where there was none."""
        with self._doing:
            look = self._look
        if look is None:
            return None
        x0, y0, x1, y1 = _closeup(look)
        return jpeg_of(look.frame.image[y0:y1, x0:x1])

    def form(self) -> dict[str, Any]:
        """What the page shows."""
        with self._doing:
            shown = self._showing
            return {
                "own": self.own is not COMMON,
                "sides": len(self.own.prototypes),
                "problem": self.problem,
                "measured": self._profile() is not None,
                "showing": None if shown is None else _form(shown, self._look),
            }


def _form(shown: Showing, look: Look | None) -> dict[str, Any]:
    step = shown.step
    ready = look is not None and not look.problem
    return {
        "step": len(shown.taken) % len(shown.steps) + 1,
        "of": len(shown.steps),
        "round": shown.rounds + 1,
        "begun": bool(shown.taken),
        "words": step.words,
        "pieces": [{"kind": kind, "words": _short(label)} for kind, label in step.shown],
        "seen": None if look is None else len(look.row),
        "ready": ready,
        "faint": [] if look is None else _faint(look, step),
        "closeup": None if look is None else _closeup_form(look),
        "checked": shown.checked if shown.rounds > 1 else "",
        "doubts": [str(doubt) for doubt in shown.doubts] if shown.rounds > 1 else [],
    }


def _faint(look: Look, step: Step) -> list[str]:
    """Which pieces hardly show a mark, and why, a sentence each; a blank has none, and a pawn its colour."""
    found: dict[str, list[str]] = {}
    for (kind, label), (x, y, far) in zip(step.shown if not look.problem else (), _rings(look).tolist(), strict=False):
        levels = face_levels(look.frame.image, (x, y), 2 * far)
        if kind in ("coin", "die") and "null" not in label and np.ptp(levels, axis=0).max() < FAINT:
            found.setdefault("bright" if levels[1].max() >= BRIGHT else "dim", []).append(_short(label))
    return [FAINT_WORDS[why](listed(names)) for why, names in found.items()]


FAINT_WORDS: Mapping[str, Callable[[str], str]] = {
    "bright": lambda pieces: say("Too bright to show a mark: {pieces}. Less light, or a lighter cloth, helps.", pieces=pieces),
    "dim": lambda pieces: say("Hardly a mark is seen: {pieces}. More light, or the camera nearer, helps.", pieces=pieces),
}


def _short(label: str) -> str:
    """What tells a piece from the others of its step."""
    first, _, second = label.partition(":")
    return SUIT_WORDS[first] if first in SUIT_WORDS else SUIT_WORDS[second] if first == "suit" else VALUE_WORDS[second]


def _rings(look: Look) -> NDArray[np.float64]:
    """Where the pieces are seen: (n, 3), x, y and radius in pixels."""
    rings: list[tuple[float, float, float]] = []
    for piece in look.row:
        (x, y), far = piece.top, piece.radius
        middle, beside, below = look.profile.to_picture(np.array([(x, y), (x + far, y), (x, y + far)]))
        rings.append((*middle, max(np.hypot(*(beside - middle)), np.hypot(*(below - middle)))))
    return np.array(rings, np.float64).reshape(-1, 3)


def _closeup(look: Look) -> tuple[int, int, int, int]:
    """The part of the picture that shows the pieces, all of it where there are none: x0, y0, x1, y1, pixels."""
    rings, (width, height) = _rings(look), look.profile.size
    if not len(rings):
        return 0, 0, width, height
    room = 2 * rings[:, 2].max()
    (x0, y0), (x1, y1) = rings[:, :2].min(axis=0) - room, rings[:, :2].max(axis=0) + room
    return max(0, int(x0)), max(0, int(y0)), min(width, int(np.ceil(x1))), min(height, int(np.ceil(y1)))


def _closeup_form(look: Look) -> dict[str, Any]:
    """The picture's number and shape, and the pieces in it: their middle as shares of its sides, their radius of its width."""
    x0, y0, x1, y1 = _closeup(look)
    width, height = x1 - x0, y1 - y0
    marks = [{"at": [round((x - x0) / width, 4), round((y - y0) / height, 4)], "radius": round(far / width, 4)}
             for x, y, far in _rings(look).tolist()]  # fmt: skip
    return {"number": look.frame.sequence, "size": [width, height], "marks": marks}
