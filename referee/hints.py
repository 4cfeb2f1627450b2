"""The table as one seat knows it, for its hints: what the camera sees and the hand that this seat has told, nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core import UNKNOWN
from engine.pieces import Tile
from engine.state import State


def seat_view(state: State, seat: int, hand: Sequence[Tile]) -> State | None:
    """The view of a seat that holds these tiles; None where they are not all of its hand, or lie elsewhere.

    state: as the camera knows it, with hands unknown.
    """
    hands = getattr(state, "hands", None)
    view = state.copy()
    if hands is not None:
        shown = next(kind for kind in state.CHANCE if kind.kind == "show")
        told = Counter(hand) - Counter(tile for tile in hands[seat] if tile != UNKNOWN)
        if len(hand) != len(hands[seat]) or told.total() != hands[seat].count(UNKNOWN):
            return None
        if told - Counter(state.unseen()):  # type: ignore[attr-defined]
            return None
        view.push(shown(seat, tuple(sorted(told.elements()))))  # type: ignore[call-arg]
    return view.view(seat)
