"""Reading a table is a pure function: the same look with the same memory gives the same, and asking "what if" changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from engine.games import GAMES
from engine.games import game as game_named
from engine.state import State
from referee.decoder import STILL_TO_COME
from referee.reading import Reader, Reading
from referee.setting import Setting
from tests.referee.playing import Match
from tests.referee.told import ToldTrial
from trials.trial import Difficulty
from vision.observation import Observation

TURNS = 4
EVERY = 3
"""Of so many looks one is asked for again."""


def plain(value: Any) -> Any:
    """A value in full, to be compared with another: what it is made of, all the way down, and no object by its name."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, State):
        return "state", value.text()
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, [(field.name, plain(getattr(value, field.name))) for field in fields(value)]
    if isinstance(value, Mapping):
        return "mapping", [(plain(key), plain(each)) for key, each in value.items()]
    if isinstance(value, AbstractSet):
        return "set", sorted(map(repr, value))
    if isinstance(value, tuple | list):
        return type(value).__name__, [plain(each) for each in value]
    return repr(value)


class Twice:
    """A reader of which a look is asked for three times: as it is, as it would be were the last action not done, or the first
    legal one done too, and as it is again. It counts where that was another answer, or has changed the memory it was given."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.looks, self.supposed, self.changed = reader, 0, 0, list[str]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reader, name)

    def read(self, seen: Observation, state: State, memory: Any) -> Reading:
        self.looks += 1
        if self.looks % EVERY:
            return self.reader.read(seen, state, memory)
        before, itself = plain(memory), plain(vars(self.reader))
        first = self.reader.read(seen, state, memory)
        answer = plain(first)
        for other in self.others(state):
            self.supposed += 1
            self.reader.read(seen, other, memory)
            reading = self.reader.read(seen, other, first.noted)
            self.reader.proposals(other, reading)
            if other.turn is not None and other.chance in (None, *STILL_TO_COME):
                self.reader.breaches(other, reading)
            self.reader.expected(other, reading)
        if plain(self.reader.read(seen, state, memory)) != answer:
            self.changed.append("the second answer")
        if plain(memory) != before or plain(first) != answer or plain(vars(self.reader)) != itself:
            self.changed.append("the memory")
        return first

    @staticmethod
    def others(state: State) -> list[State]:
        """What else the table might be in."""
        found = []
        if state.last_pushed is not None:
            found.append(state.branch())
            found[0].pop()
        if state.turn is not None and not state.chance:
            found.append(state.branch())
            found[-1].push(state.legal()[0])
        return found


@pytest.mark.parametrize("game", tuple(GAMES))
def test_the_same_look_gives_the_same_reading_and_asking_what_if_changes_nothing(game: str, tmp_path: Path) -> None:
    players = 1 if game in ("knock-out", "elimination", "solitaire") else 2
    trial = ToldTrial(game, players, 4, None, tmp_path / "journal.db", Difficulty(wrong=0.3))  # type: ignore[arg-type]
    trial.players.most = TURNS
    asked: list[Twice] = []

    def wrap(moment: object, now: object) -> None:
        reader = trial.referee.reader
        if not isinstance(reader, Twice):
            asked.append(Twice(reader))
            trial.referee._reader = asked[-1]

    trial.run(wrap)
    trial.referee.journal.close()
    (twice,) = asked
    assert twice.looks > 10 and twice.supposed > 10
    assert twice.changed == []


@pytest.mark.parametrize("game", ["block", "euronimoes"])
def test_a_play_told_by_hand_is_looked_for_on_the_table_and_nothing_is_remembered_of_that(game: str, tmp_path: Path) -> None:
    match = Match(game, 2, 100, tmp_path / "journal.db")
    match.deal()
    match.do(match.choose())
    memory = match.referee.reading.noted
    match.referee.act({"do": "play", "action": str(match.choose())}, match.stage.time)
    assert match.referee.reading.noted is memory


def test_the_table_of_another_game_is_looked_at_anew(tmp_path: Path) -> None:
    """What a reader knows of a table of Euronimoes tells that of Dominoids nothing, and a deal by hand does not ask it."""
    match = Match("euronimoes", 2, 100, tmp_path / "journal.db")
    match.look()
    kind = game_named("dominoids")
    match.referee.set_up(Setting("dominoids", kind.Rules(), match.setting.seats), match.stage.time)
    deal = kind(kind.Rules(), 2).random_chance(Random(1))
    match.referee.act({"do": "play", "action": str(deal)}, match.stage.time)
    assert match.referee.state.chance != "deal"
