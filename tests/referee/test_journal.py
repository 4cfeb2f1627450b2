"""The journal: what is acknowledged is on disk, nothing is ever changed, a killed table goes on where it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DatabaseError

from engine.actions import Action
from engine.engine191.actions import Play as StationPlay
from engine.games import game
from engine.pieces import Tile
from engine.playout import choose
from referee.evidence import Evidence
from referee.fold import Act, fold
from referee.journal import Draft, Journal, numbered
from referee.setting import Setting, seated
from referee.table import Table
from tests.conftest import ROOT
from tests.referee.playing import NAMES, Match

KILLS = 100 if os.environ.get("KIBITZ_SLOW") else 6


def test_entries_come_back_as_they_were_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    first = numbered([Draft("note", "host", {"what": "a"}, "one"), Draft("note", "seat 1", {"what": "b"})], 0, 12.5)
    journal.add(first)
    journal.close()
    assert Journal(tmp_path / "journal.db").entries() == first
    assert [entry.number for entry in first] == [1, 2]


def test_nobody_can_change_or_delete_an_entry(tmp_path: Path) -> None:
    Journal(tmp_path / "journal.db").add(numbered([Draft("note", "host")], 0, 0.0))
    engine = create_engine(f"sqlite:///{tmp_path / 'journal.db'}")
    for statement in ("UPDATE entries SET who = 'x'", "DELETE FROM entries"):
        with pytest.raises(DatabaseError, match="only added to"), engine.begin() as connection:
            connection.execute(text(statement))


def test_every_write_is_flushed_to_the_disk(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    with journal._engine.connect() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2  # FULL
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"


def test_a_table_goes_on_after_a_restart_where_it_was(tmp_path: Path) -> None:
    match = Match("block", 3, 4, tmp_path / "journal.db")
    match.deal()
    for _ in range(6):
        match.do(match.choose())
    before = match.referee
    match.referee = Table(Journal(tmp_path / "journal.db"))
    match.look(0.5)
    assert match.referee.state == before.state and match.referee.word == "ready"
    while not match.full.chance:
        match.do(match.choose())
    match.reveal()
    assert match.right


def play_some(match: Match, count: int) -> None:
    match.deal()
    for _ in range(count):
        match.do(match.choose())


def test_a_command_sent_twice_is_done_once(tmp_path: Path) -> None:
    match = Match("block", 2, 4, tmp_path / "journal.db")
    play_some(match, 3)
    action = str(match.state.legal()[0])
    first = match.referee.act({"do": "play", "action": action}, 1.0, "seat 0", token="tap 1")
    acts = len(match.referee.game.acts)
    assert match.referee.act({"do": "play", "action": action}, 1.0, "seat 0", token="tap 1") == first
    assert len(match.referee.game.acts) == acts
    match.referee = Table(Journal(tmp_path / "journal.db"))
    assert match.referee.act({"do": "play", "action": action}, 1.0, "seat 0", token="tap 1") == first


def test_an_old_entry_edited_recomputes_everything_after_it(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 7, tmp_path / "journal.db")
    play_some(match, 8)
    table = match.referee
    at = next(at for at, act in enumerate(table.game.acts) if act.text.startswith("play "))
    act = table.game.acts[at]
    _, name, cells, _, level = act.text.split()
    other = next(str(each) for each in match.full.kit.tiles if str(each) not in table.state.text() and str(each) != name)
    first, second = other.split("-")
    if first == second or "]]" not in cells:
        pytest.skip("this deal has nothing to exchange")
    changed = f"play {other} [[0,0],[1,0]] [{first},{second}] {level}"
    table.act({"do": "edit", "entry": act.entry.number, "action": changed}, 1.0)
    assert table.game.acts[at].text == changed and table.game.acts[at].edited
    assert fold(table.journal.entries()).state == table.state


def test_an_old_entry_undone_leaves_what_no_longer_fits_waiting_with_its_reason(tmp_path: Path) -> None:
    match = Match("block", 2, 4, tmp_path / "journal.db")
    play_some(match, 6)
    table = match.referee
    lead = next(act for act in table.game.acts if act.text.startswith("play "))
    table.act({"do": "undo", "entry": lead.entry.number}, 1.0)
    waiting = table.game.waiting
    assert waiting and waiting[0].problem and all(act.problem for act in waiting)
    assert [act for act in table.game.acts if act.undone] == [next(a for a in table.game.acts if a.entry == lead.entry)]


def test_what_no_longer_fits_holds_nothing_up_once_it_is_undone(tmp_path: Path) -> None:
    match = Match("block", 2, 4, tmp_path / "journal.db")
    play_some(match, 6)
    table = match.referee
    lead, *later = (act.entry.number for act in table.game.acts if act.text.startswith("play "))
    for number in (lead, *reversed(later)):
        table.act({"do": "undo", "entry": number}, 1.0)
    table.act({"do": "play", "action": str(table.state.legal()[0])}, 1.0)
    assert not table.game.waiting and len(table.game.standing) == 2
    assert fold(table.journal.entries()).state == table.state


def test_the_last_play_that_stands_is_undone_with_all_that_waits(tmp_path: Path) -> None:
    match = Match("block", 2, 4, tmp_path / "journal.db")
    play_some(match, 6)
    table = match.referee
    third = [act.entry for act in table.game.acts if act.text.startswith("play ")][2]
    table.act({"do": "undo", "entry": third.number}, 1.0)
    table.act({"do": "undo"}, 1.0)
    assert not table.game.waiting and [act.text for act in table.game.standing] == match.texts()[:2]


@pytest.mark.parametrize("watched", [True, False])
def test_who_plays_on_lets_go_what_no_longer_fits(watched: bool, tmp_path: Path) -> None:
    match = Match("block", 2, 4, tmp_path / "journal.db")
    play_some(match, 6)
    table = match.referee
    third = [act.entry for act in table.game.acts if act.text.startswith("play ")][2]
    table.act({"do": "undo", "entry": third.number}, 1.0)
    assert len(table.game.waiting) == 3
    if watched:
        match.look(6.0)  # all of it lies there still
        assert match.right and table.word == "ready"
    else:
        table.act({"do": "play", "action": third.data["action"]}, 1.0)
        assert [act.text for act in table.game.standing] == match.texts()[:4]
    assert not table.game.waiting and fold(table.journal.entries()).state == table.state


@pytest.mark.parametrize(("name", "players", "seed"), [("elimination", 1, 0), ("one-arm-joe", 2, 1), ("engine191", 2, 0)])
def test_an_entry_struck_out_takes_with_it_what_followed_of_itself(name: str, players: int, seed: int, tmp_path: Path) -> None:
    rng, kind = Random(seed), game(name)
    table, full = Table(Journal(tmp_path / "journal.db")), kind(None, players)
    table.set_up(Setting(name, full.rules, seated(NAMES[:players])), 0.0)
    done, before = list[Act](), ""
    while not any(act.entry.who == "rules" for act in done):
        action = full.answer(table.state) if table.state.chance not in (None, full.chance) else None
        if action is None:
            action = full.random_chance(rng) if full.chance else choose(full.legal(), rng)
            full.push(action)
        known, before = len(table.game.acts), table.state.text()
        table.act({"do": "play", "action": str(full.public(action))}, 1.0)
        done = table.game.acts[known:]
    table.act({"do": "undo", "entry": done[0].entry.number}, 1.0)
    assert table.state.text() == before and not table.game.waiting


def test_a_hand_that_is_told_is_that_of_its_own_seat_alone(tmp_path: Path) -> None:
    match = Match("block", 3, 4, tmp_path / "journal.db")
    play_some(match, 4)
    table = match.referee
    hand = match.full.hands[1]
    table.act({"do": "hand", "seat": 1, "tiles": [str(tile) for tile in hand]}, 1.0, "seat 1")
    assert table.game.hand(1) == hand and not table.game.hand(0) and not table.game.hand(2)


def photographed(match: Match, seat: int) -> Mapping[str, Any]:
    """That seat reaches in; the last play that is then told of pictures of the still table."""
    match.referee.observe(match.stage.reach(seat))
    for at in range(8):
        picture = np.full((400, 600, 3), 10 * at, np.uint8)
        match.referee.observe(match.stage.seen(), picture, lambda points: np.asarray(points / 2 + (300, 200), np.float32))
    return match.referee.game.standing[-1].entry.data


def test_of_a_tile_drawn_the_picture_shows_where_it_lay(tmp_path: Path) -> None:
    match = Match("block", 2, 4, tmp_path / "journal.db")
    match.referee.evidence = Evidence(tmp_path / "evidence")
    match.deal()
    match.do(match.choose())
    drawn = match.stage.tiles.pop(match.stage.boneyard.pop())
    told = photographed(match, match.state.turn or 0)
    assert "draws" in told["words"]
    (heap,) = told["seen"]
    assert heap["place"] == ["boneyard"] and np.linalg.norm(np.subtract(heap["center"], drawn.center)) < 5
    assert len(told["pictures"]) == 3


def test_every_decision_says_what_was_seen_how_sure_and_shows_its_picture(tmp_path: Path) -> None:
    match = Match("block", 2, 4, tmp_path / "journal.db")
    match.referee.evidence = Evidence(tmp_path / "evidence")
    match.deal()
    action = match.choose()
    match.stage.do(match.full, action)
    told = photographed(match, match.full.turn)
    assert told["words"].endswith(".") and 0.98 <= told["sure"] <= 1
    (tile,) = [each for each in told["seen"] if "ends" in each]
    assert tile["place"] == ["root"] and "-".join(map(str, sorted(tile["ends"]))) in str(action) and tile["sure"] > 0.9
    files = [match.referee.evidence.file(name) for name in told["pictures"]]
    before, after, near = (np.asarray(cv2.imread(str(file))) for file in files if file is not None)
    assert before.shape == after.shape == (400, 600, 3) and near.shape[0] == near.shape[1] == pytest.approx(75, abs=1)


def test_evidence_keeps_within_its_budget(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    evidence = Evidence(tmp_path / "evidence", budget=60_000)
    names = [evidence.keep(rng.integers(0, 255, (100, 100, 3), np.uint8)) for _ in range(12)]
    files = list((tmp_path / "evidence").glob("*.jpg"))
    assert sum(file.stat().st_size for file in files) <= 60_000 and evidence.file(names[-1]) is not None
    same = np.zeros((50, 50, 3), np.uint8)
    assert evidence.keep(same) == evidence.keep(same)


PLAYER = """
import sys
from pathlib import Path
from random import Random
from typing import Any
from engine.games import game
from referee.journal import Journal
from referee.setting import Setting, seated
from referee.setting import Setting, seated
from referee.table import Table
table = Table(Journal(Path(sys.argv[1])))
kind = game("euronimoes")
if table.game.setting is None:
    table.set_up(Setting("euronimoes", kind.Rules(), seated(("Ann", "Ben"))), 0.0)
full = kind(kind.Rules(), 2)
rng = Random(int(sys.argv[2]))
for number in range(10_000):
    if table.state.outcome() is not None:
        break
    state = table.state
    if state.chance:
        action = state.random_chance(rng)
    else:
        action = rng.choice(state.legal())
    revision = table.act({"do": "play", "action": str(action)}, float(number), token=f"{sys.argv[2]}.{number}")
    print(f"{revision} {action}", flush=True)
"""


def test_a_table_killed_at_any_moment_loses_no_acknowledged_play_and_doubles_none(tmp_path: Path) -> None:
    rng = Random(11)
    file = tmp_path / "journal.db"
    acknowledged: dict[int, str] = {}
    for round_ in range(KILLS):
        if round_ % 8 == 7:  # a fresh table now and then: games end
            file = tmp_path / f"journal{round_}.db"
            acknowledged = {}
        command = [sys.executable, "-c", PLAYER, str(file), str(round_)]
        player = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert player.stdout is not None
        lines = [player.stdout.readline()]  # it has begun
        time.sleep(rng.uniform(0.0, 0.25))
        player.send_signal(signal.SIGKILL)
        lines += player.stdout.readlines()
        player.wait()
        acknowledged |= {int(line.split(" ", 1)[0]): line.split(" ", 1)[1].strip() for line in lines if line.endswith("\n")}
        entries = Journal(file).entries()
        written = {entry.number: entry.data["action"] for entry in entries if entry.kind == "act"}
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        assert acknowledged.items() <= written.items()
        assert len(written) - len(acknowledged) <= round_ + 1  # at most the one that was being acknowledged each time
        assert not fold(entries).waiting


def test_a_hand_told_in_one_round_is_none_of_the_next(tmp_path: Path) -> None:
    match = Match("one-arm-joe", 2, 4, tmp_path / "journal.db")
    table, full = match.referee, match.full

    def do(action: Action) -> None:
        full.push(action)
        table.act({"do": "play", "action": str(full.public(action))}, 1.0)

    def tell(tiles: tuple[Tile, ...]) -> None:
        table.act({"do": "hand", "seat": 0, "tiles": [str(tile) for tile in tiles]}, 1.0, "seat 0")

    do(full.random_chance(match.rng))
    while full.chance != "deal":
        tell(full.hands[0])
        do(match.rng.choice(full.legal()))
        while table.state.chance == "show":
            table.act({"do": "play", "action": str(full.answer(table.state))}, 1.0)
    deal = full.random_chance(match.rng)
    do(deal)
    assert not table.game.hand(0)
    table.act({"do": "undo"}, 1.0)
    full.pop()
    tell(deal.hands[0])
    do(deal)  # which is seen only with the first tile that is laid
    assert table.game.hand(0) == deal.hands[0]


def test_a_tile_laid_open_into_the_yard_is_no_longer_in_the_hand(tmp_path: Path) -> None:
    rng, kind = Random(3), game("engine191")
    table, full = Table(Journal(tmp_path / "journal.db")), kind(None, 2)
    table.set_up(Setting("engine191", full.rules, seated(NAMES[:2])), 0.0)
    replaced = 0
    while replaced < 3:
        action = full.random_chance(rng) if full.chance else choose(full.legal(), rng)
        laid = isinstance(action, StationPlay) and action.replace is not None
        seat, known = full.turn or 0, len(table.game.acts)
        if laid:
            table.act({"do": "hand", "seat": seat, "tiles": [str(tile) for tile in full.hands[seat]]}, 1.0)
        full.push(action)
        table.act({"do": "play", "action": str(full.public(action))}, 1.0)
        while table.state.chance not in (None, full.chance):
            table.act({"do": "play", "action": str(full.answer(table.state))}, 1.0)
        for act in table.game.acts[known:]:
            if act.entry.who == "rules":
                full.push(full.action_of(act.text))
        if laid:
            replaced += 1
            assert set(table.game.hand(seat)) <= set(full.hands[seat])
