"""Actions as small frozen values, each with a short text, an object in the exchange form, and both ways back.

An action class names its fields in `FORM`: (attribute, key in the exchange form, how the value is written).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from engine.core import UNKNOWN, MalformedError
from engine.pieces import Tile

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of value is written as JSON and read back (`read` raises ValueError, TypeError or KeyError)."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def number(value: Any) -> int:
    """A whole number, not a truth value."""
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def word(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a word")
    return value


def truth(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def tile_text(tile: Tile) -> str:
    """`3-5`, or `?` for a tile not known."""
    return "?" if tile == UNKNOWN else f"{tile[0]}-{tile[1]}"


def read_tile(text: Any) -> Tile:
    """The tile of `tile_text`."""
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not a tile")
    return UNKNOWN if text == "?" else Tile.parse(text)


def pair(value: Any) -> tuple[int, int]:
    """Two whole numbers: a cell, or the two ends of a laid tile in order."""
    first, second = value
    return number(first), number(second)


def cell_pair(value: Any) -> tuple[Cell, Cell]:
    """The two cells of a laid tile."""
    first, second = value
    return pair(first), pair(second)


def optional(form: Form) -> Form:
    """The same, or nothing."""
    return Form(lambda value: None if value is None else form.write(value),
                lambda value: None if value is None else form.read(value))


def listed(form: Form) -> Form:
    """A tuple of such values, a list in JSON."""
    return Form(lambda values: [form.write(value) for value in values],
                lambda values: tuple(form.read(value) for value in _list(values)))


def _list(value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{value!r} is not a list")
    return value


NUMBER = Form(int, number)
WORD = Form(str, word)
TRUTH = Form(bool, truth)
TILE = Form(tile_text, read_tile)
TILES = listed(TILE)
MAYBE_TILE = optional(TILE)
PAIR = Form(list, pair)
CELLS = Form(lambda cells: [list(cell) for cell in cells], cell_pair)


class Action:
    """One thing a seat (or chance) does. Subclasses are frozen dataclasses and fill `kind` and `FORM`."""

    __slots__ = ()
    kind: ClassVar[str]
    FORM: ClassVar[tuple[tuple[str, str, Form], ...]] = ()

    def to_exchange(self) -> dict[str, Any]:
        """The action as a plain object of the exchange form."""
        return {"kind": self.kind} | {key: form.write(getattr(self, name)) for name, key, form in self.FORM}

    @classmethod
    def from_exchange(cls, data: Mapping[str, Any]) -> Self:
        """The action back; MalformedError where a key is missing, unknown or of the wrong kind."""
        known = {key for _, key, _ in cls.FORM} | {"kind"}
        if set(data) != known:
            raise MalformedError(f"{cls.kind} has the keys {sorted(known)}, not {sorted(data)}")
        try:
            return cls(**{name: form.read(data[key]) for name, key, form in cls.FORM})
        except MalformedError:
            raise
        except (ValueError, TypeError, KeyError) as error:
            raise MalformedError(f"{cls.kind}: {error}") from error

    def __str__(self) -> str:
        data = self.to_exchange()
        return " ".join([self.kind, *(_token(data[key]) for _, key, _ in self.FORM)])


@dataclass(frozen=True, slots=True)
class Show(Action):
    """Chance, in any game with hidden hands: tiles of one become known."""

    kind: ClassVar[str] = "show"
    FORM = (("seat", "seat", NUMBER), ("tiles", "tiles", TILES))

    seat: int
    tiles: tuple[Tile, ...]


def action_from_exchange(classes: Iterable[type[Action]], data: Any) -> Action:
    """The action of one of these classes; MalformedError where none fits."""
    if not isinstance(data, Mapping):
        raise MalformedError(f"{data!r} is not an action")
    for cls in classes:
        if cls.kind == data.get("kind"):
            return cls.from_exchange(data)
    raise MalformedError(f"no action {data.get('kind')!r} here (there are: {', '.join(c.kind for c in classes)})")


def action_from_text(classes: Iterable[type[Action]], text: str) -> Action:
    """The inverse of `str(action)`; MalformedError where the text is no whole action of these classes."""
    head, *tokens = text.split() or [""]
    for cls in classes:
        if cls.kind == head:
            if len(tokens) != len(cls.FORM):
                raise MalformedError(f"{text!r}: {head} takes {len(cls.FORM)} values")
            values = {key: _value(token) for (_, key, _), token in zip(cls.FORM, tokens, strict=True)}
            return cls.from_exchange({"kind": head} | values)
    raise MalformedError(f"no action {head!r} here (there are: {', '.join(cls.kind for cls in classes)})")


def _token(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _value(token: str) -> Any:
    if token == "-":
        return None
    try:
        return json.loads(token)
    except (ValueError, RecursionError):  # brackets in a thousand brackets are a word like any other
        return token
