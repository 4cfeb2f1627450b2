"""One sentence for everybody that says where a table stands."""

from __future__ import annotations

from engine.core import UNKNOWN
from engine.words import joined, listed, say
from referee.decoder import Kind
from referee.table import Table

MESSAGES = {"camera-lost": say("The camera is lost; plays can be entered by hand."),
            "uncalibrated": say("The camera does not know the table yet.")}


def message(table: Table) -> str:
    """Where the table stands, or what is to be answered or put right first."""
    names, state = table.setting.names, table.state
    if table.word in MESSAGES:
        return MESSAGES[table.word]
    if table.question is not None:
        return table.question.text
    if table.alarm is not None and table.alarm.verdict is not None:
        lacks = table.alarm.steps if table.alarm.kind is Kind.UNFINISHED else ()
        return joined(lacks) or table.alarm.verdict.sentence
    if table.repair is not None:
        return next((step for step, done in table.repair.items() if not done), say("The table is being compared."))
    if outcome := state.outcome():
        return say("The game is over: {names} won.", names=listed(names[seat] for seat in outcome.winners))
    if state.chance == "deal":
        return table.lacking[0] if table.lacking else say("All lies ready.")
    if state.chance == "show":
        waiting = [names[seat] for seat, hand in enumerate(state.hands) if UNKNOWN in hand]
        return say("{names}: show the hand, open in front of you.", names=listed(waiting))
    if state.chance:
        return say("Turn up a tile from the bone pile for the dearest slot.")
    return say("It is {name}'s turn.", name=names[state.turn]) if state.turn is not None else ""
