"""What all sources have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from vision.frame import Frame


class SourceError(ValueError):
    """A source that cannot be opened; the text says in one sentence why, and what to do."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a source is. lost: why no live picture comes, None where one does. age: seconds since the newest frame.

    fps: frames a second lately. ended: nothing will come any more.
    """

    lost: str | None = None
    age: float = 0.0
    fps: float = 0.0
    ended: bool = False


class Source(Protocol):
    """Frames of one view. `live`: only the newest frame counts, older ones are dropped; else every frame comes in turn.

    settled: every picture is a moment of rest by itself, as in a folder of photographs.
    """

    live: bool
    settled: bool

    def next(self, wait_s: float) -> Frame | None:
        """The next frame, waiting for it at most so long; None where none came, where the camera is lost, or at the end."""

    def health(self) -> Health:
        """How the source is now."""

    def close(self) -> None:
        """Let go of the camera or file."""


@runtime_checkable
class Dimmable(Protocol):
    """A camera that takes less light when it is asked to."""

    def expose(self, stops: float) -> None:
        """So many stops less than it would by itself, from now on."""
