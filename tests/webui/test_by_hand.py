"""Every game is played by hand to its final score, by nothing but what the page offers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.actions import Action, action_from_text
from engine.core import IllegalError
from engine.dominoids import actions as dominoids
from engine.games import GAMES, game
from engine.state import State
from referee.journal import Journal
from referee.setting import Setting, seated
from referee.table import Table
from tests.referee.staged import StagedLine
from tests.webui.faketable import NAMES
from vision.piece_sets import PieceSet
from webui.app import create_app
from webui.live.form import moment_form, places
from webui.live.games import FACES
from webui.live.keys import COOKIE
from webui.live.refereed import Refereed
from webui.live.room import Room
from webui.live.running import Do, Edit, Refused
from webui.live.told import chance_action, halves_of, otherwise

LONGEST = 3000
"""Steps by which every game is over; of Dominoids, which chance may play for ever, after so many turns."""


def offered(table: Refereed) -> dict[str, Any]:
    """What the page shows."""
    moment = table.moment()
    return moment_form(moment, moment.state.turn)


def do(table: Refereed, action: Action) -> None:
    """What the page sends."""
    table.do(table.moment().version, "host", Do(action))


def told(table: Refereed, public: Action) -> Action:
    """What somebody at the table taps for an action of chance, as everybody sees it."""
    wanted = offered(table)["wanted"]
    assert wanted is not None, f"nothing is asked, but {public} is to be told"
    seen = table.moment().state
    said = FACES[seen.game].said(public)
    if options := wanted.get("options"):
        offers = [[choice["value"] for choice in option["choices"]] for option in options]
        assert all(number in offer for number, offer in zip(said.numbers, offers, strict=True))
        return chance_action(seen, (), 0, said.numbers)
    if isinstance(public, dominoids.Deal):
        assert wanted["shuffled"]
        return public  # the page deals by chance
    assert len(said.halves) == wanted["count"], f"{wanted} is asked of {said.halves}"
    assert all(sorted(ends) in wanted["tiles"] for ends in said.halves)
    assert wanted.get("turned") or all(ends == tuple(sorted(ends)) for ends in said.halves)
    return chance_action(seen, halves_of("{}-{}".format(*ends) for ends in said.halves), said.starter)


def is_offered(table: Refereed, action: Action) -> bool:
    """Whether the page has something to tap for an action."""
    form, state = offered(table), table.moment().state
    taps = [choice["action"] for choice in form["choices"]] + [slot["action"] for slot in form["market"]]
    assert all(low >= 0 for low, _ in form["tiles"])
    tile = getattr(action, "tile", None)
    if tile is not None and list(tile) in form["tiles"]:
        taps += [place["action"] for place in places(state, tile)]
    return str(action) in taps


FLAGS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in GAMES if name not in ("dominoids", "mexican-train")), ("dominoids", {"max_turns": 30}),
    ("mexican-train", {"rounds": 3}), ("mexican-train", {"rounds": 1, "first_turn": "train", "doubles": "later"}),
    ("all-fives", {"spinner": "first_double"}), ("all-fives", {"spinner": "all"}),
    ("all-fives", {"muggins": "call"}), ("block", {"set_max": 9}),
]  # fmt: skip


def play(table: Refereed, full: State, rng: Random) -> Iterator[State]:
    """Play a game to its end by what the page offers; gives what is truly so before each step. full: all of it known."""

    def happens(public: Action, action: Action | None = None) -> None:
        """Tell it; what follows of itself happens in truth, too."""
        known = len(table.moment().entries)
        do(table, public)
        if action is not None:
            full.push(action)
        for entry in table.moment().entries[known + 1 :]:
            assert entry.who == "rules" and entry.action in full.legal()
            full.push(entry.action)

    while full.result is None:
        yield full
        if full.chance:
            action = full.random_chance(rng)
            happens(told(table, full.public(action)), action)
        else:
            action = rng.choice(full.legal())
            public = full.public(action)
            assert is_offered(table, public), f"{public} is nowhere to be tapped"
            happens(public, action)
        while (seen := table.moment().state).chance and seen.chance != full.chance:
            happens(told(table, full.answer(seen)))


@pytest.mark.parametrize(("name", "flags"), FLAGS, ids=str)
def test_a_game_is_played_by_hand_to_its_final_score(name: str, flags: dict[str, Any], tmp_path: Path) -> None:
    kind = game(name)
    rules = kind.Rules(**flags)
    players = kind.SEATS[0]
    reader: Any = None
    room = Room(tmp_path, reader, Setting(name, rules, seated(NAMES[:players])))
    try:
        full = kind(rules, players)
        steps = sum(1 for _ in islice(play(room.table, full, Random(5)), LONGEST))
        assert full.result is not None and offered(room.table)["outcome"] is not None, f"not over after {steps} steps"
        assert room.table.moment().state.scores() == full.scores()
    finally:
        room.close()


def opened(name: str, where: Path) -> Room:
    """A table for that game, before the deal."""
    kind = game(name)
    reader: Any = None
    return Room(where, reader, Setting(name, kind.Rules(), seated(NAMES[: kind.SEATS[0]])))


def test_the_players_own_pieces_are_what_the_referee_looks_for(tmp_path: Path) -> None:
    reader: Any = None
    room = Room(tmp_path, reader, Setting("dominoids", game("dominoids").Rules(), seated(NAMES[:2])), own=PieceSet("mine"))
    try:
        assert room.session._lying(room.session.refereed.game.setting).pieces.name == "mine"
    finally:
        room.close()


def test_the_first_who_calls_points_has_them_whoever_was_asked_before(tmp_path: Path) -> None:
    rules = game("all-fives").Rules(muggins="call")  # type: ignore[call-arg]
    reader: Any = None
    room = Room(tmp_path, reader, Setting("all-fives", rules, seated(NAMES[:3])))

    def calls(seat: int | None) -> list[str]:
        moment = room.table.moment()
        return [call["words"] for call in moment_form(moment, seat)["calls"]]

    def happens(text: str, seat: int | None = None) -> None:
        moment = room.table.moment()
        action = action_from_text((*moment.state.ACTIONS, *moment.state.CHANCE), text)
        room.table.do(moment.version, "host", Do(action, seat))

    do(room.table, chance_action(room.table.moment().state, (), 0))
    happens("play 5-5 root -")
    assert calls(0) == ["Call 10 points"] and calls(1) == calls(2) == []
    happens("skip")
    happens("play 0-5 right 0")
    assert calls(1) == calls(2) == [f"Muggins, {NAMES[0]}’s 10 points"] and len(calls(None)) == 2
    with pytest.raises(Refused):
        happens("claim", 1)  # the third player may still call the points before these
    happens("muggins 0", 2)
    assert calls(1) == ["Call 10 points"]
    assert room.table.moment().state.scores() == (0, 0, 10)
    with pytest.raises(Refused):
        happens("muggins 0", 1)
    assert [entry.action.kind for entry in room.table.moment().entries[-2:] if entry.action] == ["skip", "muggins"]
    happens("claim", 1)
    assert room.table.moment().state.scores() == (0, 10, 10) and calls(None) == []
    room.close()


@pytest.mark.parametrize("name", ["dominoids", "knock-out", "elimination", "solitaire"])
def test_what_the_page_deals_and_throws_is_by_the_rules_and_hides_what_lies_face_down(name: str, tmp_path: Path) -> None:
    room = opened(name, tmp_path)
    rng, thrown = Random(3), 0
    for _ in range(60):
        state = room.table.moment().state
        if state.chance:
            assert offered(room.table)["wanted"].get("shuffled") or state.chance == "coin"
            numbers = [state.left_on(state.waiting())[0]] if state.chance == "coin" else []  # type: ignore[attr-defined]
            do(room.table, chance_action(state, (), 0, numbers, rng))
            thrown += 1
        elif state.result is None:
            do(room.table, rng.choice(state.legal()))
        after = room.table.moment().state
        assert after.project().text() == after.text(), "somebody could look under a tile or a coin"
    assert thrown and room.table.moment().entries
    room.close()


@pytest.mark.parametrize(("halves", "starter", "numbers"), [((), 0, [0, 1, 2]), ((), 0, [9, 0]), ((), 0, [-1, 0])], ids=str)
def test_dice_that_cannot_be_so_are_refused_and_leave_no_trace(
        halves: tuple[Any, ...], starter: int, numbers: list[int], tmp_path: Path) -> None:
    room = opened("dominoids", tmp_path)
    do(room.table, chance_action(room.table.moment().state, (), 1))
    while (state := room.table.moment().state).chance != "roll":
        seen = state.chance == "coin"
        do(room.table, chance_action(state, (), 0, [state.left_on(state.waiting())[0]]) if seen else state.legal()[0])  # type: ignore[attr-defined]
    before = room.table.moment()
    with pytest.raises((ValueError, IllegalError)):
        do(room.table, chance_action(before.state, halves, starter, numbers))
    assert room.table.moment().version == before.version
    room.close()


def test_a_camera_that_finds_no_board_changes_nothing(tmp_path: Path) -> None:
    kind = game("dominoids")
    table = Table(Journal(tmp_path / "journal.db"))
    table.set_up(Setting("dominoids", kind.Rules(), seated(("Ann", "Bob"))), 0.0)
    stage = StagedLine(Setting("block", game("block").Rules(), seated(("Ann", "Bob"))), 1)

    def look() -> None:
        for _ in range(40):
            table.observe(stage.seen())

    look()
    assert table.lacking and "by hand" in table.lacking[0] and len(table.journal.entries()) == 1
    for action in (chance_action(table.state, (), 1), lambda: table.state.legal()[0]):
        table.act({"do": "play", "action": str(action() if callable(action) else action)}, 1.0)
    entries = len(table.journal.entries())
    look()
    assert len(table.journal.entries()) == entries and (table.question, table.alarm, table.repair) == (None,) * 3


def test_a_seat_calls_no_points_for_another(tmp_path: Path) -> None:
    rules = game("all-fives").Rules(muggins="call")  # type: ignore[call-arg]
    reader: Any = None
    room = Room(tmp_path, reader, Setting("all-fives", rules, seated(NAMES[:2])))
    app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table, keys=room.keys, stand=room.stand)
    do(room.table, chance_action(room.table.moment().state, (), 0))
    do(room.table, action_from_text(room.table.moment().state.ACTIONS, "play 5-5 root -"))

    def answer(caller: int, seat: int) -> tuple[int, str]:
        client = app.test_client()
        client.set_cookie(COOKIE, room.keys.seats[caller])
        now = {"version": room.table.moment().version, "id": f"call {caller} {seat} now"}
        told = client.post("/live/do", json={"do": "action", "action": "claim", "seat": seat, **now})
        return told.status_code, str(told.get_json().get("error", ""))

    assert answer(1, 0) == answer(0, 5) == (422, "Every seat calls its own points.")
    assert room.table.moment().state.scores() == (0, 0)
    assert answer(0, 0)[0] == 200 and room.table.moment().state.scores() == (10, 0)


@pytest.mark.parametrize(("name", "first", "second", "wrong"), [("euronimoes", 0, 4, "5-6"), ("knock-out", 2, 9, ""),
                                                                 ("solitaire", 1, 5, "6-6")])
def test_a_deal_that_was_told_wrongly_is_told_anew_and_what_was_played_stands(
        name: str, first: int, second: int, wrong: str, tmp_path: Path) -> None:
    """Two tiles were told in each other's place, or one that lay elsewhere."""
    room, face = opened(name, tmp_path), FACES[name]
    table, client = room.table, create_app(Any, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table,  # type: ignore[arg-type]
                                           keys=room.keys, stand=room.stand).test_client()
    client.set_cookie(COOKIE, room.keys.host)
    state = table.moment().state
    deal = face.said(state.public(state.random_chance(Random(4))))
    halves = ["{}-{}".format(*ends) for ends in deal.halves]
    do(table, chance_action(state, halves_of(halves), 1))
    played = table.moment().state.legal()[-1]
    do(table, played)
    told = client.get(f"/live/entry/{table.moment().entries[0].number}").get_json()
    assert told["wanted"]["told"] == [list(ends) for ends in deal.halves]
    assert told["wanted"]["starter"] == (1 if name == "euronimoes" else 0)
    assert told["wanted"]["shuffled"] is None and told["choices"] == []
    halves[first], halves[second] = halves[second], wrong or halves[first]

    def say_so(*tiles: str) -> int:
        sent = {"do": "chance", "tiles": tiles, "starter": 0, "entry": told["number"], "version": table.moment().version}
        return client.post("/live/do", json=sent | {"id": f"{len(tiles)}-12345678"}).status_code

    assert say_so(*halves) == 200
    entry, after = table.moment().entries
    assert ["{}-{}".format(*ends) for ends in face.said(entry.action).halves] == halves
    assert after.action == played and not after.undone
    assert say_so(*halves[1:]) in (400, 422) and table.moment().entries[0].action == entry.action
    room.close()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_what_is_told_anew_of_an_entry_that_it_does_not_fit_is_refused_and_breaks_nothing(name: str, tmp_path: Path) -> None:
    room, rng = opened(name, tmp_path), Random(2)
    table, client = room.table, create_app(Any, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table,  # type: ignore[arg-type]
                                           keys=room.keys, stand=room.stand).test_client()
    client.set_cookie(COOKIE, room.keys.host)
    for _ in range(8):
        state = table.moment().state
        if state.result is None:
            do(table, state.public(state.random_chance(rng)) if state.chance else rng.choice(state.legal()))
    numbers = [entry.number for entry in table.moment().entries]
    tried = [(number, tiles) for number in numbers for tiles in ([], ["1-2"], ["0-1", "0-2", "0-3", "0-4", "0-5", "0-6", "1-1"])]
    for at, (number, tiles) in enumerate([*tried, (999, [])]):
        sent = {"do": "chance", "tiles": tiles, "starter": 3, "entry": number, "id": f"{at:08}"}
        sent["version"] = table.moment().version
        assert client.post("/live/do", json=sent).status_code in (200, 422)
    assert [entry.number for entry in table.moment().entries] == numbers
    room.close()


@pytest.mark.parametrize("name", GAMES)
def test_what_came_by_chance_may_be_told_otherwise_where_a_tile_or_few_numbers_say_it(name: str) -> None:
    state, rng = game(name)(game(name).Rules(), game(name).SEATS[0]), Random(2)
    names, told = NAMES[: state.players], set[str]()
    for _ in range(150):
        if state.outcome() is not None:
            break
        if not state.chance:
            state.push(rng.choice(state.legal()))
            continue
        came = state.public(state.random_chance(rng))
        asked = FACES[name].wanted(state, names) or {}
        if asked["kind"] == "tell" and asked["count"] == 1 and not asked.get("turned"):
            assert all(state.verify(chance_action(state, (tuple(tile),), 0)) for tile in asked["tiles"])
        choices = list(otherwise(state, names))
        assert all(state.verify(action) and state.action_of(str(action)) == action for action, _, _ in choices)
        if choices:
            told.add(state.chance)
            assert str(came) in [str(action) for action, _, _ in choices]
        state.push(came)
    assert told >= {"euronimoes": {"refill"}, "engine191": {"turn-up"}, "dominoids": {"roll", "coin"}, "solitaire": {"turn-up"},
                    "block": {"deal"}}.get(name, set())


def test_a_tile_of_the_market_that_was_told_wrongly_is_put_right(tmp_path: Path) -> None:
    reader: Any = None
    room = Room(tmp_path, reader, Setting("euronimoes", game("euronimoes").Rules(), seated(("Ann", "Ben"))))
    table = room.table
    market = tuple(islice(iter(table.moment().state.kit), 5))
    for told in (market, None, ((3, 6),)):
        state = table.moment().state
        deed = Do(state.legal()[0]) if told is None else Do(chance_action(state, told, 0))
        table.do(table.moment().version, "host", deed)
    entry = table.moment().entries[-1]
    other = next(action for action, tile, _ in otherwise(table.before(entry.number), ("Ann", "Ben")) if tile == (4, 5))
    table.do(table.moment().version, "host", Edit(entry.number, other))
    now: Any = table.moment().state
    assert (4, 5) in now.market and (3, 6) not in now.market
    room.close()
