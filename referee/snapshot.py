"""What a page needs to draw a table: one frozen value of plain JSON, for everybody or for one seat.

A hand is in the snapshot of its own seat and in no other.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.core import UNKNOWN
from engine.pieces import Tile
from engine.state import State
from engine.words import listed, say
from referee.decoder import Decision, Kind
from referee.fold import Act
from referee.table import Table

FORM = 1
"""Raised when a key changes its meaning."""

MESSAGES = {"hand": say("A hand is over the table."), "moving": say("Something is moving."), "reading": say("Reading the table."),
            "camera-lost": say("The camera is lost; plays can be entered by hand."),
            "uncalibrated": say("The camera does not know the table yet.")}


def snapshot(table: Table, seat: int | None = None) -> dict[str, Any]:
    """The table now; with a seat, also its hand and where each of its tiles may go."""
    base: dict[str, Any] = {"form": FORM, "version": table.version, "revision": table.game.revision, "word": table.word,
                            "health": _health(table)}
    if table.game.setting is None:
        return base | {"game": None, "message": say("No game has been set up.")}
    setting, state = table.setting, table.state
    outcome = state.outcome()
    base |= {
        "game": setting.game,
        "rules": str(setting.rules),
        "seats": [_seat(table, state, at) for at in range(len(setting.seats))],
        "turn": state.turn,
        "phase": state.phase,
        "waits_for": state.chance,
        "message": _message(table, state),
        "set_up": {"ready": table.ready, "lacking": list(table.lacking)} if state.chance == "deal" else None,
        "table": table.reader.drawing(state),
        "provisional": list(table.provisional.best.words) if table.provisional else [],
        "last": next(map(_act, reversed(table.game.standing)), None),
        "illegal": _alarm(table.alarm, table),
        "question": _question(table),
        "repair": [{"text": step, "done": done} for step, done in (table.repair or {}).items()],
        "history": [_act(act) for act in table.game.acts],
        "notes": [{"entry": note.number, "time": note.time, **note.data} for note in table.game.notes
                  if note.data.get("what") != "dismissed"],
        "outcome": None if outcome is None else {"reason": outcome.reason, "winners": list(outcome.winners),
                                                 "scores": list(outcome.scores)},
    }
    if seat is not None:
        base["you"] = _you(table, state, seat)
    return base


def _seat(table: Table, state: State, seat: int) -> dict[str, Any]:
    it = table.setting.seats[seat]
    parts = [[name, points] for name, points in state.score_parts(seat)] if state.chance != "deal" or table.game.standing else []
    hands: Any = getattr(state, "hands", ((),) * state.players)
    return {"name": it.name, "colour": it.colour, "score": state.scores()[seat], "parts": parts, "tiles": len(hands[seat])}


def _you(table: Table, state: State, seat: int) -> dict[str, Any]:
    bought: Any = getattr(state, "bought", ((),) * state.players)
    most: dict[Tile, int] = Counter(bought[seat]) | Counter(table.hand(seat))  # bought tiles may have been told as well
    return {"seat": seat, "hand": [str(tile) for tile in sorted(most) for _ in range(most[tile])],
            "legal": {str(tile): table.reader.places(state, tile, seat) for tile in sorted(most)}}


def _message(table: Table, state: State) -> str:
    """One sentence that says where the table stands."""
    names = table.setting.names
    if table.word in MESSAGES:
        return MESSAGES[table.word]
    if table.question is not None:
        return table.question.text
    if table.alarm is not None and table.alarm.verdict is not None:
        return table.alarm.verdict.sentence
    if table.repair:
        return next((step for step, done in table.repair.items() if not done), say("The table is being compared."))
    if outcome := state.outcome():
        return say("The game is over: {names} won.", names=listed(names[seat] for seat in outcome.winners))
    if state.chance == "deal":
        return table.lacking[0] if table.lacking else say("All lies ready.")
    if state.chance == "show":
        hands: Any = getattr(state, "hands", ())
        waiting = [names[seat] for seat, hand in enumerate(hands) if UNKNOWN in hand]
        return say("{names}: show the hand, open in front of you.", names=listed(waiting))
    if state.chance:
        return say("Turn up a tile from the bone pile for the dearest slot.")
    return say("It is {name}'s turn.", name=names[state.turn]) if state.turn is not None else ""


def _act(act: Act) -> dict[str, Any]:
    """An entry of the history: what was seen, how sure, which picture."""
    data = act.entry.data
    return {"entry": act.entry.number, "time": act.entry.time, "who": act.entry.who, "seat": act.seat, "action": act.text,
            "words": data.get("words", act.text) if not act.edited else act.text, "sure": data.get("sure"),
            "pictures": data.get("pictures", []), "seen": data.get("seen", []),
            "frame": data.get("frame"), "scores": list(act.scores),
            "edited": act.edited, "undone": act.undone, "problem": act.problem}


def _alarm(alarm: Decision | None, table: Table) -> dict[str, Any] | None:
    """A broken rule as the page tells it; `pending` where the turn may just not be finished."""
    if alarm is None or alarm.best.breach is None:
        return None
    breach, verdict = alarm.best.breach, alarm.best.breach.verdict
    rule = table.state.RULE_BOOK.get(verdict.rule)
    return {"rule": verdict.rule, "sentence": verdict.sentence, "book": rule.text if rule else "",
            "source": rule.source if rule else "", "words": list(alarm.best.words), "seat": breach.seat,
            "center": list(breach.center) if breach.center else None, "steps": list(alarm.steps),
            "pending": alarm.kind is Kind.UNFINISHED, "sure": alarm.confidence,
            "legal": [{"action": str(action), "words": _words(table, str(action))} for action in verdict.nearest]}


def _words(table: Table, text: str) -> str:
    try:
        return table.reader.words(table.state, table.state.parse_action(text))
    except ValueError:
        return text


def _question(table: Table) -> dict[str, Any] | None:
    question = table.question
    if question is None:
        return None
    return {"id": question.id, "text": question.text,
            "answers": [{"choice": at, "words": each.said, "share": round(each.share, 3)}
                        for at, each in enumerate(question.answers)]}


def _health(table: Table) -> dict[str, Any]:
    if table.seen is None:
        return {"camera": "none"}
    quality = table.seen.quality
    return {"camera": str(table.seen.state), "frame_age": round(quality.frame_age, 2), "fps": round(quality.fps, 1),
            "light": round(quality.light, 3), "glare": round(quality.glare, 4), "sharpness": round(quality.sharpness, 3),
            "scale": round(quality.scale, 3), "units": table.seen.units, "frame": table.seen.frame}
