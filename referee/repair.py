"""What people are asked to put right when the table can be explained by no play."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Repair:
    """Steps in plain words, and which of them have been seen done."""

    steps: tuple[str, ...]
    done: tuple[str, ...] = ()

    def ticked(self, left: tuple[str, ...]) -> Repair:
        """The same list with what is no longer to be done ticked off, and new steps at its end."""
        done = tuple(dict.fromkeys((*self.done, *(step for step in self.steps if step not in left))))
        steps = tuple(dict.fromkeys((*self.steps, *left)))
        return Repair(steps, tuple(step for step in done if step not in left))
