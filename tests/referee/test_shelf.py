"""A journal that is spoilt bricks no table: it is kept as it is, said in a sentence, and the last good game can go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import create_engine, text

from engine.games import game
from referee.journal import Draft, Journal, numbered
from referee.setting import Setting, seated
from referee.shelf import JOURNAL, Shelf
from referee.table import Refused, Table

BLOCK = Setting("block", game("block").Rules(), seated(("Ann", "Bob")))


def play(table: Table, count: int, setting: Setting = BLOCK) -> str:
    """Begin a game and do so much; its text."""
    table.set_up(setting, 0.0)
    for number in range(count):
        state = table.state
        action = state.public(state.random_chance(Random(3))) if state.chance else state.legal()[0]
        table.act({"do": "play", "action": str(action)}, float(number), token=f"deed {number}")
    return table.state.text()


def noise(file: Path) -> None:
    file.write_bytes(Random(1).randbytes(20_000))


def halved(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def torn(file: Path) -> None:
    """A page in its midst is overwritten."""
    found = bytearray(file.read_bytes())
    found[4096:8192] = Random(2).randbytes(4096)
    file.write_bytes(found)


def foreign(file: Path) -> None:
    file.unlink()
    with create_engine(f"sqlite:///{file}").begin() as connection:
        connection.execute(text("CREATE TABLE entries (name TEXT)"))


def words(file: Path) -> None:
    file.write_text("Dear diary,\n" * 500)


DAMAGE = (noise, halved, torn, foreign, words)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_spoilt_journal_is_kept_and_the_game_before_offered(damage: Callable[[Path], None], tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    before = play(shelf.open(), 5)
    running = shelf.renew()
    play(running, 9)
    running.journal.close()
    damage(tmp_path / JOURNAL)
    kept = (tmp_path / JOURNAL).read_bytes()

    shelf = Shelf(tmp_path)
    table = shelf.open()
    (aside,) = tmp_path.glob("journal-*-damaged.db")
    assert aside.read_bytes() == kept and aside.name in shelf.said and shelf.said.count(". ") == 0
    assert table.game.setting is None and "Block & Draw of Ann and Bob" in shelf.says
    table.set_up(BLOCK, 1.0)  # the table can be used at once
    assert shelf.resume().state.text() == before
    assert Shelf(tmp_path).open().state.text() == before and aside.read_bytes() == kept


@pytest.mark.parametrize(
    "spoiling",
    [
        Draft("act", "host", {}), Draft("act", "host", {"action": 7}), Draft("setting", "host", {"game": "chess"}),
        Draft("setting", "host", BLOCK.to_json() | {"game": "chess"}),
        Draft("undo", "host", {"entries": [99]}), Draft("hand", "host", {"seat": 0, "tiles": ["x"]}),
        Draft("note", "camera", {"what": "illegal"}), Draft("dance", "host"),
    ],
    ids=str,
)  # fmt: skip
def test_a_game_goes_on_from_before_the_entry_that_makes_no_sense(spoiling: Draft, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    table = shelf.open()
    before = play(table, 5)
    table.journal.add(numbered([spoiling], table.game.revision, 9.0))
    table.journal.close()

    shelf = Shelf(tmp_path)
    assert shelf.open().game.setting is None and shelf.offered is not None
    again = shelf.resume()
    assert again.state.text() == before and again.game.tokens.keys() >= {"deed 0", "deed 4"}
    with pytest.raises(Refused, match="no earlier game"):
        shelf.resume()


def test_nothing_is_offered_while_a_game_runs_and_nothing_said_where_all_is_well(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    text = play(shelf.open(), 5)
    shelf = Shelf(tmp_path)
    assert shelf.open().state.text() == text and not shelf.says and shelf.offered is None


def test_a_journal_out_of_reach_is_no_spoilt_one(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).mkdir()
    with pytest.raises(OSError, match="cannot be reached"):
        Shelf(tmp_path).open()
    assert (tmp_path / JOURNAL).is_dir()


def test_of_two_who_write_to_one_journal_the_later_is_refused(tmp_path: Path) -> None:
    one, other = Table(Journal(tmp_path / JOURNAL)), Table(Journal(tmp_path / JOURNAL))
    play(one, 3)
    with pytest.raises(Refused, match="Another program"):
        other.set_up(BLOCK, 0.0)
    assert other.game.setting is None


def test_a_game_that_was_over_is_not_offered(tmp_path: Path) -> None:
    for over in (False, True):
        shelf = Shelf(tmp_path)
        table = shelf.open()
        play(table, 1, Setting("solitaire", game("solitaire").Rules(), seated(("Ann",))))
        if over:
            table.act({"do": "play", "action": "stop"}, 1.0)
        shelf.renew()
        shelf = Shelf(tmp_path)
        shelf.open()
        assert (shelf.offered is None) is over
