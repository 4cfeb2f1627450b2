"""Sentences that can be said in any language: each is a text in English that knows how it was made.

Who shows one looks its template up in a catalogue and fills the same values in; everybody else has a plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Said(str):
    """A text in English with its template and values. many: its template where `number`, one of the values, is not 1."""

    template: str
    many: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, many: str, values: Mapping[str, Any]) -> Said:
        """Fills the English template."""
        said = super().__new__(cls, filled(many if many and values["number"] != 1 else template, values))
        said.template, said.many, said.values = template, many, values
        return said

    def __str__(self) -> str:
        """The same: whoever asks for its text, as an error does, does not lose how it was made."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Said, (self.template, self.many, dict(self.values))


def say(template: str, /, **values: Any) -> str:
    """A sentence; a value whose name begins with a capital letter begins with one, too.

    >>> say("{Where} lies the {tile}.", where="", Where="on the left", tile="3-5")
    'On the left lies the 3-5.'
    """
    return Said(template, "", values)


def count(number: int, one: str, many: str, /, **values: Any) -> str:
    """A sentence about so many.

    >>> count(2, "There is {number} tile.", "There are {number} tiles.")
    'There are 2 tiles.'
    """
    return Said(one, many, {"number": number} | values)


def some(number: int, thing: str) -> str:
    """So many of a thing.

    >>> some(1, "point"), some(0, "pip")
    ('1 point', '0 pips')
    """
    return count(number, f"{{number}} {thing}", f"{{number}} {thing}s")


def joined(parts: Iterable[object], by: str = " ") -> str:
    """Sentences one after another, or things with something between."""
    values = {f"part{at}": part for at, part in enumerate(parts)}
    return say(by.join(f"{{{name}}}" for name in values), **values)


def listed(things: Iterable[object], last: str = "and") -> str:
    """Things in a sentence.

    >>> listed("abc"), listed(["4"]), listed("ab", "or")
    ('a, b and c', '4', 'a or b')
    """
    *first, end = list(things) or [""]
    if not first:
        return joined([end])
    values = {"things": joined(first, ", "), "last": end}
    return say("{things} and {last}", **values) if last == "and" else say("{things} or {last}", **values)


def written(value: Any) -> Any:
    """A JSON value in which every sentence is an object of how it was made, so that it can be said in any language later."""
    if isinstance(value, Said):
        return {"say": value.template, "many": value.many, "values": {name: written(each) for name, each in value.values.items()}}
    if isinstance(value, Mapping):
        return {name: written(each) for name, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):  # a tile
        return str(value)
    if isinstance(value, list | tuple):
        return [written(each) for each in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def spoken(value: Any) -> Any:
    """The inverse of `written`; what is written as plain text stays so."""
    if isinstance(value, Mapping):
        values = {name: spoken(each) for name, each in value.items()}
        return Said(value["say"], value["many"], values["values"]) if value.keys() == {"say", "many", "values"} else values
    return [spoken(each) for each in value] if isinstance(value, list) else value


def filled(template: str, values: Mapping[str, Any]) -> str:
    """A template, in any language, with its values."""
    return template.format_map({name: capital(str(value)) if name[0].isupper() else value for name, value in values.items()})


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]
