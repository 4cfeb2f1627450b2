"""The page's table with the referee behind it: entries on disk, versions, another game, and a game found again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from engine.core import IllegalError
from engine.games import game
from engine.mexican_train.actions import Play
from engine.pieces import Tile
from referee.decoder import NOTHING_DONE, Decision, Kind
from referee.journal import Draft
from referee.message import message
from referee.reading import Breach, Expected
from referee.recording import replay
from referee.session import Session
from referee.setting import Setting, seated
from vision.frame import Frame
from vision.observation import Observation, Quality, TableState
from vision.reader import Reader
from vision.sources.source import Health
from webui.languages import told as in_language
from webui.live.form import moment_form
from webui.live.refereed import Refereed
from webui.live.room import Room
from webui.live.running import Begin, Do, Edit, Refused, Stale, Tell, Undo
from webui.live.told import chance_action

BLOCK = Setting("block", game("block").Rules(), seated(("Ann", "Bob")))


MEASURED = Profile((1920, 1080), np.eye(3), (0.0, 0.0, 900.0, 600.0), "tags", 0.5)


class NoReader:
    """Is never asked: there is no camera, or none that shows anything."""


class NoCamera:
    """A camera that sends nothing."""

    def next(self, wait_s: float) -> None:
        time.sleep(min(wait_s, 0.01))

    def health(self) -> Health:
        return Health()

    def close(self) -> None:
        """It holds nothing."""


def room(folder: Path, setting: Setting = BLOCK) -> Room:
    """A table in that folder."""
    reader: Any = NoReader()
    return Room(folder, reader, setting)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Room]:
    """A new table."""
    made = room(tmp_path / "table")
    yield made
    made.close()


@pytest.fixture
def table(opened: Room) -> Refereed:
    """Block & Draw, dealt: Ann leads."""
    running = opened.table
    do(running, Do(chance_action(running.moment().state, (), 0)))
    return running


def do(running: Refereed, deed: Any, who: str = "host") -> None:
    """Do something to the table as it is."""
    running.do(running.moment().version, who, deed)


def play(running: Refereed, text: str, who: str = "Ann") -> None:
    """Play an action written as text."""
    do(running, Do(running.moment().state.parse_action(text)), who)


def test_a_play_by_hand_is_told_with_its_author(table: Refereed) -> None:
    before = table.moment()
    play(table, "play 6-6 root")
    after = table.moment()
    assert after.version > before.version and after.state.turn == 1
    assert after.entries[-1].who == "Ann" and "6-6" in after.entries[-1].words and after.undo == after.entries[-1].words
    assert moment_form(after, None)["word"] == "ready"  # no camera is needed


def test_what_would_be_allowed_is_told_of_the_table_as_it_was_when_the_rule_was_broken(tmp_path: Path) -> None:
    trains = Setting("mexican-train", game("mexican-train").Rules(), seated(("Ann", "Bob")))
    opened = room(tmp_path / "trains", trains)
    do(opened.table, Do(chance_action(opened.table.moment().state, (), 0)))
    table = opened.session.refereed
    first = Play(Tile(0, 12), 0)  # Ann's, of which nobody is sure yet
    verdict = table.state.after(first).verify(Play(Tile(1, 2), 1))
    broken = replace(NOTHING_DONE, actions=(first,), breach=Breach(verdict, Expected({}), "Bob plays the 1-2.", 0.0))
    table.alarm = Decision(Kind.ILLEGAL, broken)
    opened.session.told()
    fault = moment_form(opened.table.moment(), None)["fault"]
    assert fault["nearest"][0]["words"] == "1|12 on their own train"
    opened.close()


def test_what_a_turn_still_lacks_is_the_headline_and_no_fault(opened: Room, table: Refereed) -> None:
    referee = opened.session.refereed
    verdict = referee.state.verify(Play(Tile(1, 2), 1))
    steps = ("Take a second die, and lay it beside the boxes.",)
    lacking = Breach(verdict, Expected({}), "Ann takes one die.", 0.0, pending=True, steps=steps)
    referee.alarm = Decision(Kind.UNFINISHED, replace(NOTHING_DONE, breach=lacking), steps=steps)
    opened.session.told()
    told = moment_form(table.moment(), None)
    assert told["sentence"] == steps[0] and told["fault"] is None
    referee.alarm, referee.word = replace(referee.alarm, kind=Kind.ILLEGAL), "illegal"
    assert message(referee) == verdict.sentence  # a rule that is broken is named, whatever may be done about it


def test_the_state_of_a_moment_never_changes(table: Refereed) -> None:
    before = table.moment()
    text = before.state.text()
    play(table, "play 6-6 root")
    assert before.state.text() == text


def test_an_older_version_is_refused_and_an_illegal_play_named(table: Refereed) -> None:
    old = table.moment().version
    play(table, "play 6-6 root")
    with pytest.raises(Stale):
        table.do(old, "host", Undo())
    with pytest.raises(IllegalError) as caught:
        do(table, Do(game("block").ACTIONS[0].from_exchange({"kind": "play", "tile": "1-2", "arm": "left", "open": 2})))
    assert caught.value.verdict.rule == "match"


def test_a_deed_done_answers_the_same_after_whatever_and_after_a_restart(tmp_path: Path) -> None:
    first = room(tmp_path / "table")
    shown = first.table.moment().version
    answer = first.table.do(shown, "host", Do(chance_action(first.table.moment().state, (), 0)), "token-1")
    assert answer == first.table.moment().version == first.table.done("token-1")
    play(first.table, "play 6-6 root")
    assert first.table.done("token-1") == answer and first.table.done("token-2") is None
    latest = first.table.moment().version
    first.close()
    again = room(tmp_path / "table")
    assert again.table.done("token-1") == answer
    with pytest.raises(Stale):
        again.table.do(answer, "host", Undo())
    again.table.do(latest, "host", Undo())  # what a page was shown before the restart it may answer after it
    again.close()


def test_a_version_of_the_game_before_answers_no_other_game(table: Refereed) -> None:
    old = table.moment().version
    do(table, Begin(BLOCK))
    do(table, Do(chance_action(table.moment().state, (), 0)))
    assert old % 2**36 == table.moment().version % 2**36  # as many entries
    with pytest.raises(Stale):
        table.do(old, "host", Undo())


def test_undo_and_edit_work_everything_out_again(table: Refereed) -> None:
    play(table, "play 6-6 root")
    play(table, "play 3-6 right 3", "Bob")
    number = table.moment().entries[-1].number
    assert str(table.before(number).parse_action("play 3-6 left 3")) == "play 3-6 left 3"
    do(table, Edit(number, table.before(number).parse_action("play 3-6 left 3")))
    state: Any = table.moment().state
    assert state.left == 3 and state.right == 6
    do(table, Undo())
    assert table.moment().state.turn == 1 and table.moment().entries[-1].undone
    with pytest.raises(Refused, match="no such entry"):
        table.before(999)


@pytest.mark.parametrize("name", ["block", "knock-out"])
def test_an_entry_that_was_changed_is_told_as_if_it_had_been_played_so(name: str, tmp_path: Path) -> None:
    players = seated(("Ann", "Bob")[: game(name).SEATS[0]])
    opened = room(tmp_path / "table", Setting(name, game(name).Rules(), players))
    table = opened.table
    state = table.moment().state
    do(table, Do(state.public(state.random_chance(Random(1)))))
    do(table, Do(table.moment().state.legal()[0]))
    one, other = table.moment().state.legal()[:2]
    do(table, Do(one))
    do(table, Edit(table.moment().entries[-1].number, other))
    changed = table.moment().entries[-1].words
    do(table, Undo())
    do(table, Do(other))
    assert table.moment().entries[-1].words == changed
    do(table, Undo())
    do(table, Undo())  # what was changed does not fit what stands by now, and is told all the same
    assert all(entry.undone for entry in table.moment().entries[1:])
    opened.close()


def test_a_change_that_spoils_what_followed_is_refused_and_nothing_is_swallowed_behind_it(table: Refereed) -> None:
    play(table, "play 6-6 root")
    play(table, "play 3-6 right 3", "Bob")
    play(table, "play 3-3 right 3")
    before = table.moment().entries
    deal, first, second, last = [entry.number for entry in before]
    for number in (deal, first, second):
        with pytest.raises(Refused, match="What was played afterwards would not fit"):
            do(table, Edit(number, None))
    with pytest.raises(Refused, match="What was played afterwards would not fit: The open end there is a 4"):
        do(table, Edit(second, table.before(second).parse_action("play 4-6 right 4")))
    assert table.moment().entries == before
    do(table, Edit(last, None))
    play(table, "play 3-5 right 5")
    assert not table.moment().entries[-1].undone


def test_what_else_an_entry_could_have_been_is_told_of_one_that_waits_too(opened: Room, table: Refereed) -> None:
    play(table, "play 6-6 root")
    play(table, "play 3-6 right 3", "Bob")
    play(table, "play 3-3 right 3")
    *_, first, _, last = [entry.number for entry in table.moment().entries]
    opened.session.act({"do": "undo", "entry": first}, 1.0)  # as journals have it that were written before
    assert table.before(last).text() == table.moment().state.text(), "what waits before it does not count either"


def test_a_game_that_is_recorded_runs_again_to_the_same_journal(tmp_path: Path) -> None:
    reader: Any = NoReader()
    made = Room(tmp_path / "table", reader, BLOCK, record=True)
    running = made.table
    do(running, Do(chance_action(running.moment().state, (), 0)))
    made.session.take(Observation(1.0, 1, TableState.HAND, units="mm", quality=Quality(fps=9)))
    play(running, "play 6-6 root")
    do(running, Undo())
    for _ in range(2):  # it can be had more than once, and goes on between
        with (tmp_path / "game.kibitz").open("wb") as file:
            running.recording(file)
        again = replay(tmp_path / "game.kibitz")
        assert again.differs is None and again.table.state.text() == running.moment().state.text()
        play(running, "play 5-5 root" if running.moment().state.turn == 0 else "draw")
    made.close()
    later = Room(tmp_path / "table", reader, BLOCK, record=True)
    resumed = later.table.records  # its beginning is not there any more
    do(later.table, Begin(BLOCK))
    assert (resumed, later.table.records) == (False, True)
    later.close()


def test_a_hand_is_kept_and_played_from(table: Refereed) -> None:
    do(table, Tell(0, (Tile(6, 6), Tile(1, 2))), "Ann")
    play(table, "play 6-6 root")
    assert table.hand(0) == (Tile(1, 2),) and table.hand(1) == ()


def test_a_hand_that_is_not_whole_hides_no_tile_that_may_be_played(table: Refereed) -> None:
    doubles = [[pips, pips] for pips in range(7)]
    do(table, Tell(0, (Tile(2, 2), Tile(1, 3))), "Ann")  # as after a tile was drawn, or left over from the round before
    assert moment_form(table.moment(), 0, table.hand(0))["tiles"] == doubles, "any of which may be led"
    do(table, Tell(0, (Tile(2, 2), Tile(1, 3), *(Tile(0, pips) for pips in range(1, 4)))), "Ann")
    assert moment_form(table.moment(), 0, table.hand(0))["tiles"] == [[2, 2]]


def test_another_game_gets_a_journal_of_its_own(table: Refereed, tmp_path: Path) -> None:
    play(table, "play 6-6 root")
    do(table, Begin(Setting("euronimoes", game("euronimoes").Rules(), seated(("Cleo", "Dan", "Eve")))))
    moment = table.moment()
    assert moment.state.game == "euronimoes" and moment.setting.names == ("Cleo", "Dan", "Eve") and not moment.entries
    assert len(list((tmp_path / "table").glob("journal-*.db"))) == 1


def test_names_may_change_in_the_middle_of_a_game(table: Refereed) -> None:
    play(table, "play 6-6 root")
    do(table, Begin(Setting("block", game("block").Rules(), seated(("Zoe", "Bob"))), anew=False))
    assert table.moment().setting.names == ("Zoe", "Bob") and table.moment().state.turn == 1
    with pytest.raises(Refused):
        do(table, Begin(Setting("euronimoes", game("euronimoes").Rules(), seated(("A", "B"))), anew=False))


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    first = room(tmp_path / "table")
    do(first.table, Do(chance_action(first.table.moment().state, (), 0)))
    play(first.table, "play 6-6 root")
    keys, text = first.keys.seats, first.table.moment().state.text()
    first.close()
    again = room(tmp_path / "table")
    assert again.table.moment().state.text() == text and again.keys.seats == keys
    again.close()


def test_frames_that_show_nothing_new_disturb_nobody(table: Refereed) -> None:
    seen = Observation(1.0, 1, TableState.HAND, units="mm", quality=Quality(fps=9))
    table._session.take(seen)
    version = table.moment().version
    for number in range(20):
        table._session.take(Observation(1.1 + number, number + 2, TableState.HAND, units="mm"))
    assert table.moment().version == version
    play(table, "play 6-6 root")  # and a deed for that version is none too late


def test_what_a_camera_sees_is_told_by_the_clock_on_the_wall(opened: Room) -> None:
    now = [1000.0]
    session = Session(opened.session._reader, opened.session.table, clock=lambda: now[0])

    def told(time: float, settled: bool) -> float:
        session.take(Observation(time, 1, TableState.READY, units="mm", settled=settled))
        assert session.table is not None and session.table.seen is not None
        return session.table.seen.time

    assert told(7.0, True) == 1000.0
    now[0] = 1100.0
    assert told(8.0, True) == 1001.0  # how long the table lies still is as the camera says
    assert told(9.0, False) == 1100.0 and told(10.0, True) == 1101.0


def test_what_the_set_up_lacks_is_said_even_while_a_hand_is_over_it(opened: Room) -> None:
    inner = opened.table._table
    inner.lacking, inner.word = ("The boneyard should have 18 tiles; 17 are seen.",), "hand"
    opened.session.told()
    assert opened.table.moment().sentence == "The boneyard should have 18 tiles; 17 are seen."
    do(opened.table, Do(chance_action(inner.state, (), 0)))
    assert opened.table.moment().sentence == ""  # the page says whose turn it is


def test_a_broken_rule_is_told_in_its_place_but_is_no_play(table: Refereed) -> None:
    play(table, "play 6-6 root")
    note = {"what": "illegal", "rule": "match", "sentence": "The open end there is a 6; the 2-5 does not fit it.", "sure": 0.98}
    table._table._add([Draft("note", "camera", note)], 5.0)
    table._session.take(Observation(6.0, 1, TableState.HAND, units="mm"))
    play(table, "play 3-6 right 3", "Bob")
    told = in_language(moment_form(table.moment(), None), "en")
    assert [entry["words"] for entry in told["history"]][1] == "The open end there is a 6; the 2|5 does not fit it."
    assert told["history"][1]["action"] is None and told["history"][1]["rule"] == "match"
    assert "3|6" in told["last"]["words"] and "3|6" in told["undo"]


@pytest.mark.parametrize(("camera", "measured"), [("0", True), ("1", False)])
@pytest.mark.parametrize("on_the_page", [False, True])
def test_after_a_restart_a_camera_is_measured_as_it_was_and_no_other_by_it(
    tmp_path: Path, camera: str, measured: bool, on_the_page: bool
) -> None:
    cloth = np.random.default_rng(1).uniform(40, 200, (54, 96, 3)).astype(np.float32)
    picture = Frame(cv2.resize(cloth, MEASURED.size, interpolation=cv2.INTER_CUBIC).astype(np.uint8), 0.0, 0)

    def known(name: str) -> Profile | None:
        found = Room(tmp_path, Reader(), BLOCK, lambda source: cast(Any, NoCamera()))
        try:
            found.open(None if on_the_page else name)
            if on_the_page:
                found.stand.choose(name)
            found.session.call(lambda: found.session.see(picture))
            return found.session.profile
        finally:
            found.stand.on_calibrated(MEASURED, picture.image)
            found.close()

    assert known("0") is None
    assert (known(camera) is not None) is measured


@pytest.mark.parametrize("full", [False, True])
def test_what_is_measured_by_printed_tags_holds_after_a_restart_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    cloth = np.random.default_rng(1).uniform(40, 200, (54, 96, 3)).astype(np.float32)
    picture = Frame(cv2.resize(cloth, MEASURED.size, interpolation=cv2.INTER_CUBIC).astype(np.uint8), 0.0, 0)

    def no_room(*kept: Any) -> None:
        raise OSError(28, "No space left on device")

    def known(tags: Profile | None) -> Profile | None:
        monkeypatch.setattr("webui.live.room.calibration_in", lambda image: tags)
        found = Room(tmp_path, Reader(), BLOCK, lambda source: cast(Any, NoCamera()))
        try:
            found.open("0")
            found.session.call(lambda: found.session.see(picture))
            return found.session.profile
        finally:
            found.close()

    if full:
        monkeypatch.setattr("webui.live.room.keep", no_room)
    assert known(MEASURED) is MEASURED
    assert (known(None) is not None) is not full


def test_on_a_full_disk_the_table_is_measured_all_the_same(opened: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*kept: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("webui.live.room.keep", full)
    with pytest.raises(OSError, match="No space left"):
        opened.stand.on_calibrated(MEASURED, np.zeros((1080, 1920, 3), np.uint8))
    assert opened.session.profile is MEASURED
