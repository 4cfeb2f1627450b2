"""A moment of the table as the page gets it: JSON values, the same for everybody but for private hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.actions import Action
from engine.core import UNKNOWN
from engine.dominoids import actions as dominoids
from engine.dominoids.game import State as Dominoids
from engine.engine191 import actions as engine191
from engine.engine191.game import State as Engine191
from engine.euronimoes import actions as euronimoes
from engine.euronimoes.game import State as Euronimoes
from engine.lines import actions as lines
from engine.lines.all_fives import State as AllFives
from engine.lines.line import Line
from engine.pieces import Tile
from engine.solo.common import Solo
from engine.state import State
from webui.live.dominoids import board_scene, place_on_board
from webui.live.engine191 import lines_scene, place_on_line
from webui.live.grid import grid_reasons, grid_scene, place_in_grid
from webui.live.line import line_scene, place_in_line
from webui.live.running import Entry, Fault, Moment, Question
from webui.live.scene import JsonObject
from webui.live.solo import solo_scene
from webui.live.told import CHANCES, wanted
from webui.live.words import as_written, button_words, call_words, chips_words

TITLES = {
    "euronimoes": "Euronimoes", "engine191": "Engine 191", "dominoids": "Dominoids", "block": "Block & Draw",
    "all-fives": "All Fives", "matador": "Matador", "one-arm-joe": "One-Arm Joe", "knock-out": "Knock-Out",
    "elimination": "Elimination", "solitaire": "Solitaire",
}  # fmt: skip

HISTORY = 200
"""So many entries are told, the newest."""


def moment_form(moment: Moment, seat: int | None, hand: Sequence[Tile] = ()) -> JsonObject:
    """Everything the page draws.

    seat: whose page it is, None for a screen that all can see. hand: the tiles this seat has told the page it holds.
    """
    state, names = moment.state, moment.setting.names
    legal = state.legal() if state.turn is not None and not state.chance else []
    own = seat is not None and seat == state.turn
    return {
        "version": moment.version,
        "game": {"name": state.game, "title": TITLES.get(state.game, state.game), "highest": _highest(state)},
        "word": moment.word,
        "sentence": as_written(moment.sentence) or _whose_turn(state, names, seat),
        "turn": state.turn,
        "phase": state.phase,
        "you": seat,
        "players": [_player(moment, each, hand if each == seat else None) for each in range(state.players)],
        "scene": scene(state),
        "market": _market(state),
        "pile": _pile(state),
        "choices": [_choice(action, state) for action in legal if not hasattr(action, "tile")],
        "calls": _calls(state, names, seat),
        "tiles": _playable(legal, hand if own else ()),
        "wanted": wanted(state, names),
        "provisional": _mark(state, moment.provisional),
        "fault": _fault(state, moment.fault),
        "question": _question(moment.question),
        "repair": [{"words": as_written(step.words), "done": step.done} for step in moment.repair],
        "last": _last(moment),
        "history": [_entry(entry) for entry in moment.entries[-HISTORY:]][::-1],
        "undo": as_written(moment.undo),
        "outcome": _outcome(state, names),
    }


def _whose_turn(state: State, names: tuple[str, ...], seat: int | None) -> str:
    """What is to be done, and by whom; a seat's own page says "your"."""
    if isinstance(state, Solo) and state.result is not None:
        return f"{state.result.reason.capitalize()}."
    if state.result is not None:
        winners = " and ".join(names[seat] for seat in state.result.winners) or "Nobody"
        return f"{winners} {'win' if len(state.result.winners) > 1 else 'wins'}."
    if state.chance:
        return CHANCES.get(state.chance, f"Waiting for the {state.chance}.")
    todo = {
        "draw": ": buy or draw a tile" if isinstance(state, Euronimoes) else ": draw a tile",
        "lead": ": lead a tile",
        "last": ": play one of the last tiles",
        "bid": ": put a tile face down",
        "choose": ": take two dice",
        "act": ": use a die",
        "consequence": ": eat, attack or breed",
        "child": ": lay the child",
        "replace": ": lay the next coin",
        "drawn": ": play the drawn tile, or end the turn",
        "chain": ": play on, or end the turn",
    }.get(state.phase, ": play a tile" if isinstance(state, Euronimoes) else "")
    if isinstance(state, AllFives) and state.pending is not None and state.phase == "claim":
        owner, points = state.pending
        if owner != state.turn:
            return f"{names[owner]}’s {points} points were not called: who calls muggins?"
        return f"{'You make' if seat == owner else f'{names[owner]} makes'} {points} points: call them before the next tile."
    whose = "Your" if seat == state.turn else f"{names[state.turn or 0]}’s"
    return f"{whose} turn{todo}."


def _highest(state: State) -> int:
    """The most pips on an end of this set."""
    return int(getattr(getattr(state, "kit", None), "highest", 6))


def _player(moment: Moment, seat: int, hand: Sequence[Tile] | None) -> JsonObject:
    state, who = moment.state, moment.setting.seats[seat]
    hands = getattr(state, "hands", None)
    known = [tile for tile in hands[seat] if tile != UNKNOWN] if hands else []
    chips = getattr(state, "chips", None)
    return {
        "seat": seat,
        "name": who.name,
        "colour": who.colour,
        "score": state.scores()[seat],
        "parts": reasons(state, seat),
        "chips": None if chips is None else chips[seat],
        "count": len(hands[seat]) if hands else None,
        "known": [list(tile) for tile in known],
        "hand": None if hand is None else [list(tile) for tile in hand],
    }


def reasons(state: State, seat: int) -> list[JsonObject]:
    """The parts of a score with their reasons."""
    if isinstance(state, Euronimoes):
        return grid_reasons(state, seat)
    return [{"label": label.capitalize(), "points": points, "why": "", "column": None}
            for label, points in state.score_parts(seat)]  # fmt: skip


def scene(state: State) -> JsonObject:
    """The drawing of the table."""
    if isinstance(state, Euronimoes):
        return grid_scene(state)
    if isinstance(state, Line):
        return line_scene(state)
    if isinstance(state, Engine191):
        return lines_scene(state)
    if isinstance(state, Dominoids):
        return board_scene(state)
    assert isinstance(state, Solo)
    return solo_scene(state)


def _market(state: State) -> list[JsonObject]:
    if not isinstance(state, Euronimoes):
        return []
    slots = []
    for slot, tile in enumerate(state.market):
        cost = euronimoes.COSTS[slot]
        action = str(euronimoes.Buy(slot))
        legal = (
            state.turn is not None and state.phase == "draw" and tile is not None and cost <= state.chips[state.turn]
        )
        slots.append({
            "slot": slot,
            "cost": cost,
            "words": chips_words(cost),
            "tile": None if tile is None or tile == UNKNOWN else list(tile),
            "afford": [] if tile is None else [seat for seat in range(state.players) if cost <= state.chips[seat]],
            "action": action if legal else None,
        })  # fmt: skip
    return slots


def _pile(state: State) -> JsonObject | None:
    for name, words in (("pile", "bone pile"), ("boneyard", "boneyard")):
        tiles = getattr(state, name, None)
        if tiles is not None:
            return {"count": len(tiles), "words": words}
    return None


def _choice(action: Action, state: State) -> JsonObject:
    return {"action": str(action), "kind": action.kind, "words": button_words(action, state)}


def _calls(state: State, names: tuple[str, ...], seat: int | None) -> list[JsonObject]:
    """The points that may be called now; on a seat's page those that this seat may call."""
    calls = state.calls() if isinstance(state, AllFives) else []
    return [{"seat": who, "action": str(action), "words": call_words(action, points, names, None if seat == who else who)}
            for who, action, points in calls if seat in (None, who)]  # fmt: skip


def _playable(legal: Iterable[Action], hand: Sequence[Tile]) -> list[list[int]]:
    """The tiles that can be laid now; where the player has told the hand, those of the hand alone."""
    tiles = {tile for action in legal if (tile := getattr(action, "tile", None)) is not None}
    return [list(tile) for tile in sorted(tiles & set(hand) if hand else tiles)]


def places(state: State, tile: Tile) -> list[JsonObject]:
    """Where a tile may be laid now, each with the text of its action."""
    found: list[JsonObject] = []
    drawing = scene(state)
    for action in state.legal():
        if getattr(action, "tile", None) != tile:
            continue
        head = {"action": str(action), "words": button_words(action, state)}
        found.append(head | (_mark(state, action, drawing) or {}))
    return found


def _mark(state: State, action: Action | None, drawing: JsonObject | None = None) -> JsonObject | None:
    """Where an action's tile lies, or would lie."""
    if isinstance(action, euronimoes.Play) and state.turn is not None:
        return place_in_grid(state.turn, action)
    if isinstance(action, lines.Play):
        shapes = place_in_line(drawing or scene(state), action.tile, action.arm, action.open)
        return {"shapes": shapes} if shapes else None
    if isinstance(action, dominoids.Slide | dominoids.Rotate | dominoids.Place):
        return place_on_board(action)
    if isinstance(action, engine191.Play) and isinstance(state, Engine191) and state.hub is not None:
        return place_on_line(state, action)
    return None


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
        "nearest": [_choice(action, state) for action in fault.verdict.nearest if not hasattr(action, "cells")],
        "allowed": [mark for action in fault.verdict.nearest if (mark := _mark(state, action))],
    }


def _question(question: Question | None) -> JsonObject | None:
    if question is None:
        return None
    return {
        "name": question.name,
        "sentence": as_written(question.sentence),
        "choices": [{"name": choice.name, "words": as_written(choice.words)} for choice in question.choices],
        "pictures": list(question.pictures),
    }


def _last(moment: Moment) -> JsonObject | None:
    chance = moment.state.CHANCE
    done = [entry for entry in moment.entries if not entry.undone and entry.action and not isinstance(entry.action, chance)]
    return None if not done else _entry(done[-1])


def _entry(entry: Entry) -> JsonObject:
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


def _outcome(state: State, names: tuple[str, ...]) -> JsonObject | None:
    if state.result is None:
        return None
    return {"reason": state.result.reason, "winners": list(state.result.winners), "scores": list(state.result.scores)}
