"""What pages send, as values: the body of every request is read and checked here, and nowhere else."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from flask import abort, request
from msgspec import Meta, Struct

from engine.games import MOST_SEATS
from engine.words import say

LARGEST_BODY = 100_000
"""No page sends more bytes of JSON."""

MISFIT = say("This page does not fit the Kibitz that answers it, which may be another version by now. Please open the page anew.")
"""What no page of ours sends."""

Word = Annotated[str, Meta(min_length=1, max_length=4000, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A text without control characters; the longest is the deal of a set."""

Name = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
Token = Annotated[str, Meta(min_length=8, max_length=64)]
Tiles = Annotated[list[Name], Meta(max_length=60)]
Place = Annotated[float, Meta(ge=-1, le=2)]
"""A share of a picture's side; a corner may lie a little outside."""

Length = float | Annotated[str, Meta(max_length=20)] | None
"""Millimetres, as a number or as somebody wrote it."""


class Known(Struct, frozen=True):
    """Any deed, as far as it says whether it was sent before."""

    id: Token


class _Deed(Struct, frozen=True, kw_only=True, tag_field="do"):
    """What all deeds say. id: their own. version: that which they answer."""

    id: Token
    version: int


class ActionSent(_Deed, frozen=True, tag="action"):
    """Play this. seat: who calls points by it, before others do."""

    action: Word
    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS)] | None = None


class ChanceSent(_Deed, frozen=True, tag="chance"):
    """What was dealt or turned up. starter: the seat that begins, or whose tiles they are. numbers: of dice and coins. entry: the
    number of the one that was told otherwise."""

    tiles: Tiles
    starter: Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
    numbers: Annotated[list[Annotated[int, Meta(ge=0, le=5)]], Meta(max_length=4)] = []
    entry: int | None = None


class UndoSent(_Deed, frozen=True, tag="undo"):
    """Take back the last entry, with what followed of itself."""


class EditSent(_Deed, frozen=True, tag="edit"):
    """Make another play of an entry; null strikes it out."""

    number: int
    action: Word | None


class ReplySent(_Deed, frozen=True, tag="reply"):
    """Answer a question."""

    question: Name
    choice: Name


class AcceptSent(_Deed, frozen=True, tag="accept"):
    """Take the table as it lies."""


DeedSent = ActionSent | ChanceSent | UndoSent | EditSent | ReplySent | AcceptSent


class HandSent(Struct, frozen=True):
    """The tiles that a seat holds."""

    tiles: Tiles
    id: Token | None = None


class MisreadSent(Struct, frozen=True):
    """What a picture proves was read wrongly, or was not."""

    picture: Name
    wrong: bool = True


class SeatSent(Struct, frozen=True):
    """A player. side: where she sits, counted from below, clockwise; without it that of her number."""

    name: Name = ""
    side: Annotated[int, Meta(ge=0, le=3)] | None = None


class GameSent(Struct, frozen=True):
    """The game to be played. rules: flags by name, those that are not as usual. hints: how far they go. anew: not with what was
    played so far."""

    game: Name
    seats: Annotated[list[SeatSent], Meta(max_length=MOST_SEATS)]
    rules: dict[Name, Name] = {}
    hints: Name = "best"
    anew: bool = True


class CameraSent(Struct, frozen=True):
    """The camera to be used; none without a name."""

    name: Name | None = None


class CornersSent(Struct, frozen=True):
    """How to measure the table: by four corners, shares of the picture's sides, and lengths; else by what is printed."""

    corners: Annotated[list[tuple[Place, Place]], Meta(min_length=4, max_length=4)] | None = None
    width: Length = None
    height: Length = None


class ShowingSent(Struct, frozen=True):
    """A step in showing the players' pieces."""

    do: Literal["begin", "look", "take", "back", "keep", "stop", "forget"]


Sent = TypeVar("Sent")


def read(kind: type[Sent]) -> Sent:
    """The body of the request that is being answered; 400 with a sentence where it is no such value."""
    if not request.is_json:
        abort(400, MISFIT)
    if (request.content_length or 0) > LARGEST_BODY:
        abort(413, say("That is too much at once."))
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except msgspec.ValidationError:
        abort(400, MISFIT)
    except (msgspec.MsgspecError, RecursionError):
        abort(400, say("That did not arrive whole. Please try it again."))
