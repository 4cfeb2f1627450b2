"""Whatever is refused leaves no trace: neither in the journal nor in the game, now or after a restart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.core import MalformedError
from engine.games import game
from referee.fold import fold
from referee.journal import Entry, Journal
from referee.readers.line import LineReader
from referee.setting import Setting, seated
from referee.table import Refused, Table


def setting(name: str, players: int = 2, **flags: Any) -> Setting:
    """A game with its players in their usual seats."""
    return Setting(name, game(name).Rules(**flags), seated(("Ann", "Bob", "Cem", "Dee")[:players]))


def begun(file: Path, of: Setting) -> Table:
    """A table in mid-game: dealt, and one play made."""
    table = Table(Journal(file))
    table.set_up(of, 0.0)
    for number in range(2):
        state = table.state
        action = state.public(state.random_chance(Random(3))) if state.chance else state.legal()[0]
        table.act({"do": "play", "action": str(action)}, 1.0, token=f"deed {number}")
    return table


def leaves_no_trace(table: Table, file: Path, refused: Callable[[], object]) -> None:
    """It is refused with a sentence; game and journal are as before, and the table opens again."""
    entries, text, game = table.journal.entries(), table.state.text(), table.game
    with pytest.raises(Refused) as told:
        refused()
    assert str(told.value).endswith((".", ")")) and "Traceback" not in str(told.value)
    assert table.journal.entries() == entries and table.state.text() == text and table.game is game
    assert Table(Journal(file)).state.text() == text


@pytest.mark.parametrize(
    "other",
    [
        setting("all-fives", 3), setting("block"), setting("euronimoes"), setting("dominoids"),
        replace(setting("all-fives"), game="chess"), replace(setting("all-fives"), seats=()),
        replace(setting("all-fives"), rules=game("block").Rules()),
    ],
)  # fmt: skip
def test_a_setting_that_is_refused_in_mid_game(other: Setting, tmp_path: Path) -> None:
    table = begun(tmp_path / "journal.db", setting("all-fives"))
    leaves_no_trace(table, tmp_path / "journal.db", lambda: table.set_up(other, 2.0))


def test_a_spinner_in_mid_game_is_taken_and_played(tmp_path: Path) -> None:
    table = begun(tmp_path / "journal.db", setting("all-fives"))
    table.set_up(setting("all-fives", spinner="first_double"), 2.0)
    assert isinstance(table.reader, LineReader) and table.state.rules.spinner == "first_double"
    assert Table(Journal(tmp_path / "journal.db")).state.text() == table.state.text()


def test_rules_by_which_what_was_played_does_not_fit(tmp_path: Path) -> None:
    table = begun(tmp_path / "journal.db", setting("block"))
    leaves_no_trace(table, tmp_path / "journal.db", lambda: table.set_up(setting("block", set_max=9), 2.0))


def test_a_first_setting_that_is_refused_lets_another_begin(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="No game 'chess'"):
        Table(Journal(tmp_path / "journal.db")).set_up(replace(setting("block"), game="chess"), 0.0)
    again = Table(Journal(tmp_path / "journal.db"))
    again.set_up(setting("block"), 0.0)
    assert again.setting.game == "block"


def test_another_game_is_refused_though_everything_was_undone(tmp_path: Path) -> None:
    table = begun(tmp_path / "journal.db", setting("block"))
    for _ in range(2):
        table.act({"do": "undo"}, 2.0)
    leaves_no_trace(table, tmp_path / "journal.db", lambda: table.set_up(setting("euronimoes"), 3.0))


COMMANDS: tuple[Mapping[str, Any], ...] = (
    {}, {"do": None}, {"do": "dance"}, {"do": ["play"]}, {"do": "play"}, {"do": "play", "action": 7},
    {"do": "play", "action": "play"}, {"do": "play", "action": "play 9-9 left 9"},
    {"do": "play", "action": "[" * 5000},
    {"do": "play", "action": "play " + "[" * 5000 + " left 9"}, {"do": "undo", "entry": "x"}, {"do": "undo", "entry": []},
    {"do": "undo", "entry": 99}, {"do": "edit"}, {"do": "edit", "entry": 2, "action": None},
    {"do": "edit", "entry": 2, "action": "pass"},
    {"do": "edit", "entry": {}, "action": "pass"}, {"do": "answer", "question": "q", "choice": 0}, {"do": "answer"},
    {"do": "hand"}, {"do": "hand", "seat": 0}, {"do": "hand", "seat": 0, "tiles": 3}, {"do": "hand", "seat": 0, "tiles": [3]},
    {"do": "hand", "seat": 0, "tiles": ["x"]}, {"do": "hand", "seat": 7, "tiles": ["1-2"]},
    {"do": "hand", "seat": True, "tiles": ["1-2"]}, {"do": "hand", "seat": "0", "tiles": ["1-2"]},
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_command_that_is_refused(command: Mapping[str, Any], tmp_path: Path) -> None:
    table = begun(tmp_path / "journal.db", setting("block"))
    leaves_no_trace(table, tmp_path / "journal.db", lambda: table.act(command, 2.0, token="a token"))
    assert "a token" not in table.game.tokens


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("setting", {}), ("setting", {"game": "chess"}), ("act", {}), ("act", {"action": 3}), ("undo", {}),
        ("undo", {"entries": 3}),
        ("undo", {"entries": [99]}), ("edit", {"entry": 2}), ("hand", {"seat": 0}), ("hand", {"seat": 0, "tiles": ["x"]}),
        ("dance", {}),
    ],
)  # fmt: skip
def test_an_entry_that_says_nothing_is_told_by_its_number(kind: str, data: Mapping[str, Any], tmp_path: Path) -> None:
    entries = begun(tmp_path / "journal.db", setting("block")).journal.entries()
    with pytest.raises(MalformedError, match="Entry 4 of the journal"):
        fold([*entries, Entry(4, 9.0, kind, "host", data)])
    with pytest.raises(MalformedError, match="Entry 1 of the journal"):
        fold([Entry(1, 9.0, kind, "host", data)])
