"""The record of a game, as PGN is for chess: headers in brackets, then every action with its number, chance too.

    [Game "block"]
    [Players "2"]
    [Rules "reserve=2"]
    [Seat0 "Ann"]
    1. deal [["1-2",...],...] ["0-0",...] 1
    2. play 5-5 root -
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from engine.actions import Action
from engine.core import Flags, IllegalError, MalformedError
from engine.games import game
from engine.state import State

_HEADER = re.compile(r'\[([A-Za-z]\w*) "([^"\n]*)"\]')
_OWN = ("Game", "Players", "Rules", "Start")


@dataclass(frozen=True)
class Record:
    """A game from its start: which, for how many, by which flags, what was done; `headers` for names and dates.

    start: the text of the state it began from, or empty for a table before its first deal.
    """

    game: str
    players: int
    rules: Flags
    actions: tuple[Action, ...]
    start: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, first: State, actions: tuple[Action, ...], **headers: str) -> Self:
        """The record of these actions from a state; chance actions among them."""
        blank = type(first)(first.rules, first.players)
        start = "" if first == blank else first.text()
        return cls(first.game, first.players, first.rules, actions, start, headers)

    def first(self) -> State:
        """The state it began from."""
        kind = game(self.game)
        return kind.from_text(self.start) if self.start else kind(self.rules, self.players)

    def replay(self) -> Iterator[State]:
        """The same state object after each action; IllegalError at the first that breaks a rule."""
        state = self.first()
        yield state
        for number, action in enumerate(self.actions, 1):
            try:
                state.play(action)
            except IllegalError as error:
                error.add_note(f"in action {number} of the record")
                raise
            yield state

    def __str__(self) -> str:
        headers = {"Game": self.game, "Players": str(self.players), "Rules": str(self.rules)}
        headers |= dict(self.headers)
        lines = [f'[{name} "{value}"]' for name, value in headers.items()]
        if self.start:
            lines.append(f"start {self.start}")
        lines += [f"{number}. {action}" for number, action in enumerate(self.actions, 1)]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `str(record)`; MalformedError with the line that says nothing."""
        headers: dict[str, str] = {}
        actions: list[Action] = []
        start = ""
        kind: type[State] | None = None
        for line in filter(None, map(str.strip, text.splitlines())):
            if found := _HEADER.fullmatch(line):
                headers[found[1]] = found[2]
            elif line.startswith("start ") and not actions:
                start = line.removeprefix("start ")
            else:
                kind = kind or game(headers.get("Game", ""))
                count, dot, rest = line.partition(". ")
                if not dot or count != str(len(actions) + 1):
                    raise MalformedError(f"expected action {len(actions) + 1}, found {line[:60]!r}")
                actions.append(kind.action_of(rest))
        kind = kind or game(headers.get("Game", ""))
        players = headers.get("Players", "")
        if not (players.isascii() and players.isdigit()):
            raise MalformedError(f"not a number of players: {players!r}")
        rules = kind.Rules.parse(headers.get("Rules", ""))
        kept = {name: value for name, value in headers.items() if name not in _OWN}
        return cls(kind.game, int(players), rules, tuple(actions), start, kept)
