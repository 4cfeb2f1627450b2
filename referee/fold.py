"""From journal entries to the game: every act in order, without those undone, with those edited as they now are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf

from engine.actions import word
from engine.core import MalformedError
from engine.pieces import Tile
from engine.state import State
from engine.words import say
from referee.journal import Entry
from referee.setting import Setting


@dataclass(frozen=True, slots=True)
class Act:
    """One action of the game and its entry. text: as it now is. seat: who was to move before it.

    problem: why it no longer fits, after an entry before it was changed; it and all after it then wait.
    """

    entry: Entry
    text: str
    seat: int | None = None
    scores: tuple[int, ...] = ()
    edited: bool = False
    undone: bool = False
    problem: str = ""


@dataclass
class Game:
    """What the entries so far make.

    hands: what seats have told of theirs, by seat and by the number of the entry. notes: rules broken, revokes, things waved off.
    tokens: the commands done, with the revision after each. revision: the number of the last entry. began: when the first was
    written, seconds. withdrawn: what a person undid, until more is done.
    """

    setting: Setting | None = None
    state: State | None = None
    acts: list[Act] = field(default_factory=list)
    hands: dict[int, dict[int, tuple[Tile, ...]]] = field(default_factory=dict)
    notes: list[Entry] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    revision: int = 0
    began: float = 0.0
    withdrawn: tuple[str, ...] = ()

    @property
    def standing(self) -> list[Act]:
        """The acts that count."""
        return [act for act in self.acts if not act.undone and not act.problem]

    @property
    def waiting(self) -> list[Act]:
        """The acts that no longer fit, and those after them."""
        return [act for act in self.acts if act.problem]

    def hand(self, seat: int, before: float = inf) -> tuple[Tile, ...]:
        """The tiles that a seat had told are in its hand, less those played since; before: the number of an entry. What was
        told in the midst of a round says nothing of the next one's hand."""
        number, tiles = max(((at, told) for at, told in self.hands.get(seat, {}).items() if at < before), default=(0, ()))
        since = [act for act in self.standing if number < act.entry.number < before]
        left = Counter[Tile]() if any(act.text.startswith("deal ") for act in since[1:]) else Counter(tiles)
        for act in since:
            if act.seat == seat and act.text.startswith("play "):
                laid = act.text.split()  # in Engine 191 a tile of the yard may be laid, and one of the hand comes in its place
                left -= Counter(tile for tile in left if str(tile) in laid)
        return tuple(left.elements())

    def after(self, entries: Iterable[Entry]) -> Game:
        """The game with these entries taken, too; MalformedError for one that says nothing. This one stays as it is."""
        made = replace(self, state=self.state and self.state.branch(), acts=list(self.acts), hands=dict(self.hands),
                       notes=list(self.notes), tokens=dict(self.tokens))
        for entry in entries:
            try:
                _add(made, entry)
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise MalformedError(f"Entry {entry.number} of the journal says nothing: {error}.") from error
        return made


def fold(entries: Iterable[Entry]) -> Game:
    """The game of a whole journal; MalformedError as `Game.after`."""
    return Game().after(entries)


def _add(made: Game, entry: Entry) -> None:
    """Take one more entry, in place; an undo or an edit plays everything after it anew."""
    made.revision = entry.number
    if entry.number == 1:
        made.began = entry.time
    if entry.token is not None:
        made.tokens[entry.token] = entry.number
    if made.setting is None and entry.kind in ("act", "undo", "edit", "hand"):
        raise MalformedError("no game has been set up before it")
    if entry.kind == "setting":
        before, made.setting = made.setting, Setting.from_json(entry.data)
        if before is None or _played_by(before) != _played_by(made.setting):
            _replay(made)
    elif entry.kind == "act":
        made.withdrawn = ()
        made.acts.append(_played(made, Act(entry, word(entry.data["action"]))))
    elif entry.kind == "undo":
        gone = set(entry.data["entries"])
        taken = tuple(act.text for act in made.acts if act.entry.number in gone)
        if not taken:
            raise MalformedError("no play that it takes back")
        made.withdrawn = () if entry.who == "camera" else taken
        made.acts = [replace(act, undone=True, problem="") if act.entry.number in gone else act for act in made.acts]
        _replay(made)
    elif entry.kind == "edit":
        number, text = entry.data["entry"], word(entry.data["action"])
        made.acts = [replace(act, text=text, edited=True) if act.entry.number == number else act for act in made.acts]
        _replay(made)
    elif entry.kind == "hand":
        tiles = tuple(Tile.parse(tile) for tile in entry.data["tiles"])
        made.hands[entry.data["seat"]] = {**made.hands.get(entry.data["seat"], {}), entry.number: tiles}
    elif entry.kind == "note":
        if entry.data.get("what") in ("illegal", "revoke"):
            word(entry.data["rule"]), word(entry.data["sentence"])
        if entry.data.get("what") == "answered":
            word(entry.data["sentence"])
        made.notes.append(entry)
    else:
        raise MalformedError(f"there is no {entry.kind!r}")


def _played_by(setting: Setting) -> tuple[object, ...]:
    """What of a setting the game is played by; names and places change nothing in it."""
    return setting.game, setting.rules, len(setting.seats)


def _replay(made: Game) -> None:
    """Play all acts from the start, in place."""
    assert made.setting is not None
    acts, made.acts = made.acts, []
    made.state = made.setting.new_state()
    for act in acts:
        made.acts.append(act if act.undone else _played(made, replace(act, problem="")))


def _played(made: Game, act: Act) -> Act:
    assert made.state is not None
    if made.waiting:
        return replace(act, problem=say("An entry before it does not fit."))
    try:
        action = made.state.action_of(act.text)
    except MalformedError as error:
        return replace(act, problem=str(error))
    verdict = made.state.verify(action)
    if not verdict:
        return replace(act, problem=verdict.sentence)
    seat = made.state.turn
    made.state.push(action)
    return replace(act, seat=seat, scores=made.state.scores())
