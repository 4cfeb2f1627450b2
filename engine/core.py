"""What all games share: the three errors, verdicts with their reason, outcomes, rule books and rule flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from engine.pieces import Tile
from engine.words import say

if TYPE_CHECKING:
    from engine.actions import Action

T = TypeVar("T")

UNKNOWN = Tile(-1, -1)
"""A tile that lies face down or in a hand that is not ours; written `?`."""


class MalformedError(ValueError):
    """The text or the object says nothing that this game knows."""


class IllegalError(ValueError):
    """The action is clear, but a rule forbids it; `verdict` says which."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(f"{verdict.sentence} ({verdict.rule})")
        self.verdict = verdict


class AmbiguousError(ValueError):
    """The text fits several legal actions; `candidates` are they."""

    def __init__(self, text: str, candidates: tuple[Action, ...]) -> None:
        super().__init__(f"{text!r} could be " + " or ".join(str(action) for action in candidates[:6]))
        self.candidates = candidates


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an action is legal, and if not: the rule, a sentence for the players, what is involved, what would do.

    rule: id in the game's rule book, empty where legal. involved: cells, ends, tiles or chips by name.
    nearest: up to three legal actions that are most like the one tried.
    """

    legal: bool
    rule: str = ""
    sentence: str = ""
    involved: Mapping[str, Any] = field(default_factory=dict)
    nearest: tuple[Action, ...] = ()

    def __bool__(self) -> bool:
        return self.legal


LEGAL = Verdict(True)


@dataclass(frozen=True, slots=True)
class Broken:
    """The rule an action breaks, with its sentence and what is involved; the state adds the nearest legal actions."""

    rule: str
    sentence: str
    involved: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, which seats won (several if shared), and the final score per seat."""

    reason: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as the referee cites it: its id, a sentence for the players, and the passage it comes from."""

    id: str
    text: str
    source: str


def replaced(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The same values with another one at this place.

    >>> replaced((1, 2, 3), 1, 5)
    (1, 5, 3)
    """
    return values[:at] + (value,) + values[at + 1 :]


def without(values: tuple[T, ...], at: int) -> tuple[T, ...]:
    """The same values but the one at this place."""
    return values[:at] + values[at + 1 :]


def rule_book(*rules: tuple[str, str, str]) -> dict[str, Rule]:
    """A rule book from (id, text, source) rows, by id."""
    return {name: Rule(name, say(text), say(source)) for name, text, source in rules}


def flag(default: Any, *others: Any, about: str, numbers: range = range(0), ends: bool = False) -> Any:
    """A rule flag: its default, the other values it may take, and one sentence for the set-up page.

    `int` among the others stands for any whole number of at least 1; `numbers` are those that random games try. ends: without
    such a number a game need not end, so random ones always have one.
    """
    return field(default=default, metadata={"choices": (default, *others), "about": say(about), "numbers": numbers, "ends": ends})


@dataclass(frozen=True)
class Flags:
    """The rule flags of one game; frozen values. Subclasses name the flags with `flag(...)`."""

    max_players: ClassVar[int] = 4

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_flag(each.name, getattr(self, each.name), each.metadata["choices"])

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The rules with these flags set, values as such or as text; MalformedError for unknown flags or values.

        >>> from engine.lines.block import Rules
        >>> Rules.of({"reserve": "2"}).reserve
        2
        """
        known = {each.name: each.metadata["choices"] for each in fields(cls)}
        chosen = {}
        for name, value in values.items():
            if name not in known:
                raise MalformedError(f"no rule flag {name!r} here (there are: {', '.join(known) or 'none'})")
            chosen[name] = _flag_value(value, known[name])
        return cls(**chosen)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The rules written `flag=value,flag=value`; empty text for the defaults."""
        values = {}
        for part in text.split(",") if text.strip() else ():
            name, equals, value = part.partition("=")
            if not equals:
                raise MalformedError(f"not a rule flag: {part!r} (write flag=value)")
            if name.strip() in values:
                raise MalformedError(f"the rule flag {name.strip()} is given twice")
            values[name.strip()] = value.strip()
        return cls.of(values)

    def values(self) -> dict[str, Any]:
        """Every flag with its value, as plain JSON values."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def told(self) -> list[tuple[Any, str]]:
        """Every flag's value with its sentence."""
        return [(getattr(self, each.name), each.metadata["about"]) for each in fields(self)]

    def __str__(self) -> str:
        """The flags that differ from the default, as `parse` reads them."""
        changed = ((each.name, getattr(self, each.name)) for each in fields(self)
                   if getattr(self, each.name) != each.default)
        return ",".join(f"{name}={_flag_text(value)}" for name, value in changed)


def _flag_text(value: Any) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _fits(value: Any, choice: Any) -> bool:
    if choice is int:
        return type(value) is int and value >= 1
    return type(value) is type(choice) and bool(value == choice)


def _check_flag(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    if not any(_fits(value, choice) for choice in choices):
        allowed = ", ".join("a whole number" if choice is int else _flag_text(choice) for choice in choices)
        raise MalformedError(f"{name} cannot be {value!r} (it can be: {allowed})")


def _flag_value(value: Any, choices: tuple[Any, ...]) -> Any:
    """Text becomes the choice it names; anything else stays."""
    if isinstance(value, str):
        for choice in choices:
            if choice is not int and _flag_text(choice) == value.lower():
                return choice
        if int in choices and value.isascii() and value.isdigit():
            return int(value)
    return value
