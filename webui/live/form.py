"""A moment of the table as the page gets it: JSON values, the same for everybody but for private hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from engine.actions import Action
from engine.core import UNKNOWN
from engine.pieces import Tile
from engine.state import State
from engine.words import count, listed, say
from referee.hints import seat_view
from webui.live.games import FACES
from webui.live.running import Entry, Fault, Moment, Question
from webui.live.scene import JsonObject
from webui.live.words import as_written

HISTORY = 200
"""So many entries are told, the newest."""


def moment_form(moment: Moment, seat: int | None, hand: Sequence[Tile] = ()) -> JsonObject:
    """Everything the page draws.

    seat: whose page it is, None for a screen that all can see. hand: the tiles this seat has told the page it holds.
    """
    return table_form(moment, seat, hand) | {"history": [entry_form(entry) for entry in history(moment)]}


def history(moment: Moment) -> Sequence[Entry]:
    """What is told of all that was entered, the newest first."""
    return moment.entries[-HISTORY:][::-1]


def table_form(moment: Moment, seat: int | None, hand: Sequence[Tile] = ()) -> JsonObject:
    """Everything but the history."""
    state, names = moment.state, moment.setting.names
    legal = state.legal() if state.turn is not None and not state.chance else []
    own = hand if seat is not None and seat == state.turn else ()
    view = seat_view(state, seat, own) if own and legal and seat is not None else None
    return {
        "version": moment.version,
        "game": {"name": state.game, "title": state.TITLE, "highest": state.highest},
        "word": moment.word,
        "sentence": as_written(moment.sentence) or _whose_turn(state, names, seat),
        "turn": state.turn,
        "phase": state.phase,
        "you": seat,
        "players": [_player(moment, each, hand if each == seat else None) for each in range(state.players)],
        "scene": scene(state),
        "market": FACES[state.game].market(state),
        "pile": None if state.chance == "deal" else _pile(state),
        "aim": FACES[state.game].aim,
        "hints": moment.setting.hints,
        "leaders": _leaders(state),
        "result": _result(moment),
        "choices": [_choice(action, state) for action in legal if tile_of(action) is None],
        "calls": [call for call in FACES[state.game].calls(state, names, seat) if seat in (None, call["seat"])],
        "tiles": _playable(state, view.legal() if view else legal, own if view else ()),
        "wanted": FACES[state.game].wanted(state, names) if state.chance else None,
        "provisional": _mark(state, moment.provisional),
        "fault": _fault(state, moment.fault),
        "question": _question(moment.question),
        "repair": [{"words": as_written(step.words), "done": step.done} for step in moment.repair],
        "last": _last(moment),
        "undo": as_written(moment.undo),
        "outcome": _outcome(state),
    }


def _whose_turn(state: State, names: tuple[str, ...], seat: int | None) -> str:
    """What is to be done, and by whom; a seat's own page says "your"."""
    if state.result is not None and state.players == 1:
        return say("{Reason}.", Reason=state.result.reason)
    if state.result is not None:
        winners = [names[seat] for seat in state.result.winners]
        return count(len(winners), "{names} wins.", "{names} win.", names=listed(winners)) if winners else say("Nobody wins.")
    if state.chance:
        return FACES[state.game].chances[state.chance]
    if due := FACES[state.game].due(state, names, seat):
        return due
    todo = FACES[state.game].todo(state)
    name = names[state.turn or 0]
    if seat == state.turn:
        return say("Your turn: {todo}.", todo=todo) if todo else say("Your turn.")
    return say("{name}’s turn: {todo}.", name=name, todo=todo) if todo else say("{name}’s turn.", name=name)


def _player(moment: Moment, seat: int, hand: Sequence[Tile] | None) -> JsonObject:
    state, who = moment.state, moment.setting.seats[seat]
    held = state.hands[seat] if state.hands else None
    chips = getattr(state, "chips", None)
    return {
        "seat": seat,
        "name": who.name,
        "score": state.scores()[seat],
        "parts": FACES[state.game].reasons(state, seat),
        "chips": None if chips is None else chips[seat],
        "count": None if held is None else len(held),
        "kept": FACES[state.game].kept(state, seat),
        "known": [list(tile) for tile in held or () if tile != UNKNOWN],
        "hand": None if hand is None else [list(tile) for tile in hand],
    }


def scene(state: State) -> JsonObject:
    """The table as it is drawn, and in words."""
    face = FACES[state.game]
    return face.scene(state) | {"words": face.heard(state)}


def _pile(state: State) -> JsonObject | None:
    for name, words in (("pile", say("bone pile")), ("boneyard", say("boneyard"))):
        tiles = getattr(state, name, None)
        if tiles is not None:
            return {"count": len(tiles), "words": words}
    return None


def tile_of(action: Action) -> Tile | None:
    """The tile that an action speaks of; one that lies face down is none to choose."""
    tile: Tile | None = getattr(action, "tile", None)
    return None if tile == UNKNOWN else tile


def _choice(action: Action, state: State) -> JsonObject:
    return {"action": str(action), "kind": action.kind, "words": FACES[state.game].words(action, state)}


def _playable(state: State, legal: Iterable[Action], hand: Sequence[Tile]) -> list[list[int]]:
    """The tiles that can be laid now, first those that all know to be in the hand, as one just bought; where the player has
    told the whole hand, those of the hand alone."""
    tiles = {tile for action in legal if (tile := tile_of(action)) is not None}
    known = state.hands[state.turn] if state.hands and state.turn is not None else ()
    return [list(tile) for tile in sorted(tiles & set(hand) if hand else tiles, key=lambda tile: (tile not in known, tile))]


def places(state: State, tile: Tile) -> list[JsonObject]:
    """Where a tile may be laid now, each with the text of its action."""
    found: list[JsonObject] = []
    drawing = scene(state)
    for action in state.legal():
        if getattr(action, "tile", None) != tile:
            continue
        head = {"action": str(action), "words": FACES[state.game].words(action, state)}
        found.append(head | (_mark(state, action, drawing) or {}))
    return found


def _mark(state: State, action: Action | None, drawing: JsonObject | None = None) -> JsonObject | None:
    """Where an action's tile lies, or would lie."""
    return None if action is None else FACES[state.game].mark(state, action, drawing)


def _fault(state: State, fault: Fault | None) -> JsonObject | None:
    if fault is None:
        return None
    rule = state.RULE_BOOK.get(fault.verdict.rule)
    return {
        "words": as_written(fault.words),
        "rule": fault.verdict.rule,
        "sentence": as_written(fault.verdict.sentence),
        "source": rule.source if rule else "",
        "seat": fault.seat,
        "pictures": list(fault.pictures),
        "mark": _mark(state, fault.action),
        "nearest": [_choice(action, fault.before or state) for action in fault.verdict.nearest if not hasattr(action, "cells")],
        "allowed": [mark for action in fault.verdict.nearest if (mark := _mark(state, action))],
    }


def _question(question: Question | None) -> JsonObject | None:
    if question is None:
        return None
    answers: dict[str, str] = {}
    for choice in question.choices:  # no words twice
        answers.setdefault(as_written(choice.words), choice.name)
    return {
        "name": question.name,
        "sentence": as_written(question.sentence),
        "choices": [{"name": name, "words": words} for words, name in answers.items()],
        "pictures": list(question.pictures),
    }


def _last(moment: Moment) -> JsonObject | None:
    chance = moment.state.CHANCE
    done = [entry for entry in moment.entries if not entry.undone and entry.action and not isinstance(entry.action, chance)]
    return None if not done else entry_form(done[-1])


def entry_form(entry: Entry) -> JsonObject:
    """A line of the history."""
    return {
        "number": entry.number,
        "words": as_written(entry.words),
        "action": None if entry.action is None else str(entry.action),
        "seat": entry.seat,
        "who": entry.who,
        "time": entry.time,
        "pictures": list(entry.pictures),
        "sure": entry.confidence,
        "undone": entry.undone,
        "rule": entry.rule,
    }


def _leaders(state: State) -> list[int]:
    """Who stands best, as far as anybody stands better than others."""
    ahead = FACES[state.game].ahead(state)
    return [seat for seat, points in enumerate(ahead) if points == max(ahead) > min(ahead)]


def _result(moment: Moment) -> JsonObject | None:
    """What a round or the game came to, when it is over: the points of every round, and how it ended."""
    state, names = moment.state, moment.setting.names
    done = [entry for entry in moment.entries if entry.action is not None and not entry.undone]
    kinds = [entry.action.kind for entry in done if entry.action is not None]
    ends, played = [], False
    for entry, kind, after in zip_longest(done, kinds, kinds[1:]):
        played |= kind == "play"
        if played and (after == "deal" if after else state.chance == "deal" or state.result):
            ends.append(entry.scores)
            played = False
    if not done or not (state.result or (state.chance == "deal" and ends)):
        return None
    tally = FACES[state.game].tally
    before = [(0,) * state.players, *ends] if tally else [(0,) * state.players] * len(ends)
    rounds = [[now - then for now, then in zip(*each, strict=True)] for each in zip(ends, before, strict=False)]
    return {"over": state.result is not None, "title": _end_words(state, names), "rounds": rounds, "tally": tally,
            "added": [] if state.FEW_WIN or not rounds else [seat for seat, points in enumerate(rounds[-1]) if points]}


def _end_words(state: State, names: tuple[str, ...]) -> str:
    """How a round or the game ended."""
    if state.result is not None:
        return _whose_turn(state, names, None)
    out = [name for name, hand in zip(names, state.hands, strict=False) if not hand]
    return say("{name} goes out.", name=out[0]) if len(out) == 1 else say("The round is over: nobody could go on.")


def _outcome(state: State) -> JsonObject | None:
    if state.result is None:
        return None
    return {"reason": state.result.reason, "winners": list(state.result.winners), "scores": list(state.result.scores)}
