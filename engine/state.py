"""The state of a game: what every game's `State` can do, whatever its rules.

A state holds only values that never change (`FIELDS`), so a push remembers the old ones and a pop puts them back.
Where something has to be dealt, rolled or turned up that the state does not know, `chance` names it: then no seat is
to move, and one of the `CHANCE` actions has to be pushed before the game goes on. A state with full knowledge knows
the order of its boneyard and asks only for true chance (deals, shuffles, dice).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from random import Random
from typing import Any, ClassVar, Self

from engine.actions import Action, action_from_exchange, action_from_text
from engine.core import LEGAL, AmbiguousError, Broken, Flags, IllegalError, MalformedError, Outcome, Rule, Verdict
from engine.pieces import HIGHEST_END, Tile
from engine.reasons import Reason
from engine.words import say

Doings = dict[type[Action], Callable[[Any, Any], None]]
"""What a push does, by the kind of action."""


class LegalActions:
    """The legal actions of a state, found only when asked for; answers `in`, `len`, `bool` and iteration."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __iter__(self) -> Iterator[Action]:
        return iter(self._state.legal())

    def __len__(self) -> int:
        return len(self._state.legal())

    def __contains__(self, action: object) -> bool:
        return action in self._state.legal()

    def __bool__(self) -> bool:
        return bool(self._state.legal())

    def __repr__(self) -> str:
        return f"<LegalActions: {', '.join(map(str, self))}>"


class State(ABC):
    """A table at one moment: rules, seats, what lies where, who is to act. Seats count from 0 in turn order."""

    __slots__ = ("_stack", "chance", "kit", "phase", "players", "result", "rules", "turn")

    # What the game is: commands, hints, the referee and the page ask for these, and for no game by its name.
    game: ClassVar[str]
    """Its name in commands and files."""
    TITLE: ClassVar[str]
    """Its name as players write it."""
    Rules: ClassVar[type[Flags]]
    ACTIONS: ClassVar[tuple[type[Action], ...]]
    CHANCE: ClassVar[tuple[type[Action], ...]]
    RULE_BOOK: ClassVar[Mapping[str, Rule]]
    SEATS: ClassVar[tuple[int, ...]] = (2, 3, 4)
    ENDS: ClassVar[tuple[int, int]] = (0, HIGHEST_END)
    """The fewest and the most pips that an end of its tiles may show."""
    FACE_DOWN: ClassVar[bool] = True
    """Whether tiles may lie face down in it."""
    STACKED: ClassVar[bool] = False
    """Whether tiles are laid on others."""
    FEW_WIN: ClassVar[bool] = False
    """Whether few points are good."""
    NEARLY_WON: ClassVar[float]
    """Points of lead that are nearly as good as won, for hints."""
    FAR: ClassVar[int] = 1000
    """How many actions a hint plays on at random; mostly to the end of the round."""
    TRIES: ClassVar[int] = 1
    """Of so many random actions a hint plays on the best; more where most actions score at once."""
    FIELDS: ClassVar[tuple[str, ...]] = ()
    BELIEFS: ClassVar[tuple[str, ...]] = ()
    """Fields that hold what was public about hidden tiles; compared through `knowledge`."""
    _read: ClassVar[attrgetter[tuple[Any, ...]]]
    _do: ClassVar[Doings]

    turn: int | None
    phase: str
    chance: str | None
    result: Outcome | None
    hands: tuple[tuple[Tile, ...], ...] = ()  # of each seat, as far as they are known; none where nobody holds tiles

    def __init_subclass__(cls) -> None:
        if cls.FIELDS:
            cls.FIELDS = tuple(dict.fromkeys(("turn", "phase", "chance", "result", *cls.FIELDS)))
            cls._read = attrgetter(*cls.FIELDS)

    def __init__(self, rules: Flags | None = None, players: int | None = None) -> None:
        """A table before its first deal; MalformedError where the game is not for so many."""
        if players is None:
            players = self.SEATS[0]
        if players not in self.SEATS:
            raise MalformedError(f"{self.game} is not for {players} (for {' or '.join(map(str, self.SEATS))})")
        rules = self.Rules() if rules is None else rules
        if type(rules) is not self.Rules:
            raise MalformedError(f"{rules!r} are not rules of {self.game}")
        self.rules: Any = rules
        self.players = players
        self.kit: Any = None  # what never changes during a game: the set, tables of plays
        self._stack: list[tuple[Action, tuple[Any, ...]]] = []
        self.turn = None
        self.phase = "deal"
        self.chance = "deal"
        self.result = None
        self._set_up()

    @classmethod
    def start(cls, rules: Flags | None, players: int | None, rng: Random) -> Self:
        """A table after a random deal, everything known."""
        state = cls(rules, players)
        while state.chance:
            state.push(state.random_chance(rng))
        state._stack.clear()
        return state

    # What each game says for itself.

    @abstractmethod
    def _set_up(self) -> None:
        """Every field of the game before the first deal."""

    @abstractmethod
    def legal(self) -> list[Action]:
        """Every legal action of the seat to move, none twice; empty when chance is to act or the game is over."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The running score of each seat."""

    @abstractmethod
    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """The running score of a seat in named parts that add up to it."""

    @abstractmethod
    def random_chance(self, rng: Random) -> Action:
        """What chance might do now, drawn with the right probabilities."""

    @abstractmethod
    def picture(self) -> list[str]:
        """What lies on the table as lines of text, for a terminal; hands as far as the state knows them."""

    @property
    def highest(self) -> int:
        """The most pips on an end of the set in play."""
        return int(getattr(self.kit, "highest", 6))

    def leads(self) -> list[float]:
        """For each seat its points ahead of the best other one, behind below 0; alone, how few are left to deal with."""
        sign = -1.0 if self.FEW_WIN else 1.0
        scores = [sign * score for score in self.scores()]
        if len(scores) == 1:
            return scores
        return [own - max(other for at, other in enumerate(scores) if at != seat) for seat, own in enumerate(scores)]

    def gain(self, action: Action) -> float:
        """How many points the seat to move gains on the best other one at once; looked at in playouts, so it is to be quick."""
        seat: int = self.turn  # type: ignore[assignment]
        before = self.leads()[seat]
        self.push(action)
        now = self.leads()[seat]
        self.pop()
        return now - before

    @classmethod
    def left_counts(cls, tile: Tile) -> int:
        """What a tile counts that is left in a hand, by the usual rules."""
        return tile.pips

    @classmethod
    def joins(cls, one: Tile, end: int, other: Tile, other_end: int) -> bool:
        """Whether two tiles may touch with these ends in a line, by the usual rules."""
        return end == other_end

    def promising(self) -> list[Action]:
        """The legal actions that hints are about: all but those of which it is known that they lead nowhere."""
        return self.legal()

    def likely(self) -> list[Action]:
        """The legal actions that a hint expects later on; looked at in playouts, so it is to be quick."""
        return self.legal()

    def solved(self) -> list[tuple[Action, float]] | None:
        """Every legal action with the lead to which it leads at best, where a game is so simple; the best first."""
        return None

    def worlds(self, most: int) -> list[tuple[Self, int]] | None:
        """Every fully known state that agrees with this one, with how often it may have come; None where they are more."""
        return None

    def position(self) -> Hashable:
        """What of the table matters for what follows: states of one game with equal ones go on alike."""
        return tuple(getattr(self, name) for name in self.FIELDS if name not in self.BELIEFS)

    @abstractmethod
    def reasons(self, action: Action) -> Iterator[Reason]:
        """What speaks for or against an action, the best first; the seat to move knows its own hand."""

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """Everything chance might do now with its probability; ValueError for deals and shuffles, which are too many."""
        raise ValueError(f"a {self.chance} has too many outcomes to list; draw one with random_chance")

    def public(self, action: Action) -> Action:
        """The same action as everybody at the table sees it."""
        return action

    def answer(self, other: State) -> Action:
        """The chance action that tells `other`, a state of the same table that knows less, what it waits for."""
        raise ValueError(f"nothing of {self.game} lies hidden")

    @abstractmethod
    def project(self) -> Self:
        """The state as a camera sees it: hidden tiles unknown, what was public remembered."""

    @abstractmethod
    def view(self, seat: int) -> Self:
        """The state as this seat knows it."""

    @abstractmethod
    def sample(self, rng: Random) -> Self:
        """A fully known state that agrees with everything this one knows."""

    def knowledge(self) -> Any:
        """What everybody knows about the hidden tiles beyond what the fields show."""
        return None

    @abstractmethod
    def _broken(self, action: Any) -> Broken:
        """The rule that an action breaks which is not legal."""

    @abstractmethod
    def _verify_chance(self, action: Any) -> Broken | None:
        """What is wrong with a chance action, if anything."""

    @abstractmethod
    def _exchange(self) -> dict[str, Any]:
        """The table as an object of the exchange form, but for `turn` and `phase`."""

    def _extra(self) -> dict[str, Any]:
        """What the text of the state needs beyond the exchange form; empty values are left out."""
        return {}

    @abstractmethod
    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        """Set every field from an object of the exchange form; may raise ValueError, TypeError or KeyError."""

    # What all games do alike.

    def push(self, action: Action) -> None:
        """Do an action, unchecked: it must be legal, or one of chance when `chance` asks."""
        self._stack.append((action, self._read(self)))
        self._do[action.__class__](self, action)

    def do(self, action: Action) -> None:
        """The same for good: it is not remembered, so that games played to their end in thought cost less."""
        self._do[action.__class__](self, action)

    def pop(self) -> Action:
        """Take back the last action pushed and return it; IndexError where there is none."""
        action, values = self._stack.pop()
        for name, value in zip(self.FIELDS, values, strict=True):
            setattr(self, name, value)
        return action

    def play(self, action: Action) -> None:
        """Do an action after checking it; IllegalError with the verdict, and the state unchanged, where it is not legal."""
        verdict = self.verify(action)
        if not verdict:
            raise IllegalError(verdict)
        self.push(action)

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions, lazily."""
        return LegalActions(self)

    @property
    def pushed(self) -> tuple[Action, ...]:
        """The actions pushed so far, oldest first."""
        return tuple(action for action, _ in self._stack)

    @property
    def last_pushed(self) -> Action | None:
        """The newest of them."""
        return self._stack[-1][0] if self._stack else None

    def fields(self) -> tuple[Any, ...]:
        """The values of `FIELDS`: all that an action may change."""
        return self._read(self)

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.result

    def verify(self, action: Action) -> Verdict:
        """Whether an action is legal now, and if not: which rule it breaks and what would be legal."""
        if isinstance(action, self.CHANCE):
            broken = self._verify_chance(action)
            return LEGAL if broken is None else Verdict(False, broken.rule, broken.sentence, broken.involved)
        if self.result is not None:
            return Verdict(False, "game-over", say("The game is over."))
        if self.chance:
            return Verdict(False, "chance-first", say("First the deal, the throw or the tile turned up has to be seen."))
        legal = self.legal()
        if action in legal:
            return LEGAL
        if isinstance(action, self.ACTIONS):
            broken = self._broken(action)
        else:
            broken = Broken("other-game", say("{action} is not an action of {game}.", action=action, game=self.game))
        return Verdict(False, broken.rule, broken.sentence, broken.involved, nearest(action, legal))

    @classmethod
    def action_of(cls, text: str) -> Action:
        """The inverse of `str(action)`, be it legal or not; MalformedError where the text is no whole action of this game."""
        return action_from_text((*cls.ACTIONS, *cls.CHANCE), text)

    def parse_action(self, text: str) -> Action:
        """The action a text means here: in full, or as much of it as only one legal action has.

        Raises MalformedError, IllegalError or AmbiguousError; the state does not change.
        """
        words = text.split()
        fitting = [action for action in self.legal() if str(action).split()[: len(words)] == words]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise AmbiguousError(text, tuple(fitting))
        action = self.action_of(text)
        verdict = self.verify(action)
        if not verdict:
            raise IllegalError(verdict)
        return action

    def copy(self) -> Self:
        """The same table, with no actions to take back."""
        other = object.__new__(type(self))
        other.rules, other.players, other.kit, other._stack = self.rules, self.players, self.kit, []
        for name, value in zip(self.FIELDS, self._read(self), strict=True):
            setattr(other, name, value)
        return other

    def after(self, *actions: Action) -> Self:
        """The table once these were done, unchecked; this one stays as it is."""
        other = self.copy()
        for action in actions:
            other.push(action)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled it is its fields, with no actions to take back; what all tables of a kind share is found again."""
        return _restored, (type(self), self.rules, self.players, self.fields())

    def branch(self) -> Self:
        """The same table, with the same actions to take back; what is done to it is not done to this one."""
        other = self.copy()
        other._stack = list(self._stack)
        return other

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        if (self.rules, self.players) != (other.rules, other.players):
            return False
        shown = [name for name in self.FIELDS if name not in self.BELIEFS]
        if any(getattr(self, name) != getattr(other, name) for name in shown):
            return False
        return bool(self.knowledge() == other.knowledge())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self.text()}>"

    def to_exchange(self) -> dict[str, Any]:
        """The state as a plain object of the exchange form, without `extra`."""
        return {"turn": self.turn, "phase": self.phase} | self._exchange()

    def full_exchange(self) -> dict[str, Any]:
        """The same with `extra`, from which an equal state can be made again."""
        extra = self._extra()
        if self.chance:
            extra["chance"] = self.chance
        if self.result is not None:
            extra["result"] = [self.result.reason, list(self.result.winners), list(self.result.scores)]
        kept = {key: value for key, value in extra.items() if value not in (None, [], {}, "", False)}
        return self.to_exchange() | ({"extra": kept} if kept else {})

    @classmethod
    def from_exchange(cls, data: Any, rules: Flags | None = None) -> Self:
        """The state of an object in the exchange form; MalformedError where it is none of this game."""
        if not isinstance(data, Mapping):
            raise MalformedError(f"{data!r} is not a state")
        try:
            state = cls(rules, cls._count_seats(data))
            extra = data.get("extra") or {}
            wanted = set(state.to_exchange())
            if missing := wanted - set(data) - cls._may_miss():
                raise MalformedError(f"the state lacks {', '.join(sorted(missing))}")
            if unknown := set(data) - wanted - cls._may_miss() - {"extra"}:
                raise MalformedError(f"a state of {cls.game} has no {', '.join(sorted(unknown))}")
            turn, phase = data["turn"], data["phase"]
            if turn is not None and (type(turn) is not int or not 0 <= turn < state.players):
                raise MalformedError(f"there is no seat {turn!r} at a table of {state.players}")
            state.turn, state.phase = turn, phase
            state.chance = extra.get("chance")
            if "result" in extra:
                reason, winners, scores = extra["result"]
                state.result = Outcome(reason, tuple(winners), tuple(scores))
            state._fill(data, extra)
        except MalformedError:
            raise
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise MalformedError(f"not a state of {cls.game}: {error}") from error
        return state

    @classmethod
    def dump_rules(cls, rules: Flags) -> Any:
        """The flags by which random games are dumped; MalformedError for those the exchange form cannot express."""
        return rules

    @classmethod
    def _count_seats(cls, data: Mapping[str, Any]) -> int:
        return len(data["hands"])

    @classmethod
    def _may_miss(cls) -> set[str]:
        """Keys of the exchange form that may be absent."""
        return set()

    def text(self) -> str:
        """The state in one line: the game, the flags that are not as usual, and every key with its value."""
        values = (f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in self.full_exchange().items())
        return " ".join([self.game, str(self.rules) or "-", *values])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The inverse of `text`; MalformedError for anything else."""
        words = _split(text)
        if len(words) < 2 or words[0] != cls.game:
            raise MalformedError(f"not a state of {cls.game}: {text[:40]!r}")
        data = {}
        for part in words[2:]:
            key, equals, value = part.partition("=")
            if not equals or key in data:
                raise MalformedError(f"not a part of a state: {part!r}")
            try:
                data[key] = json.loads(value)
            except ValueError as error:
                raise MalformedError(f"{key}: {value!r} cannot be read") from error
        return cls.from_exchange(data, cls.Rules.parse("" if words[1] == "-" else words[1]))

    def read_action(self, data: Any) -> Action:
        """The action of an object in the exchange form (not checked against the rules)."""
        return action_from_exchange(self.ACTIONS, data)


def _restored(kind: type[State], rules: Flags, players: int, values: tuple[Any, ...]) -> State:
    state = kind(rules, players)
    for name, value in zip(kind.FIELDS, values, strict=True):
        setattr(state, name, value)
    return state


def _split(text: str) -> list[str]:
    """Words at spaces that are outside quotation marks."""
    words, quoted, word = [], False, ""
    for sign in text.strip():
        quoted ^= sign == '"'
        if sign == " " and not quoted:
            words.append(word)
            word = ""
        else:
            word += sign
    return [*words, word]


def nearest(action: Action, legal: Sequence[Action]) -> tuple[Action, ...]:
    """Up to three of the legal actions that share most with an action, most alike first."""

    def iou(other: Action) -> int:
        if type(other) is not type(action):
            return -1
        return sum(getattr(action, name) == getattr(other, name) for name, _, _ in action.FORM)

    return tuple(sorted(legal, key=iou, reverse=True)[:3])


def checked(condition: bool, problem: str) -> None:
    """MalformedError with the problem unless the condition holds."""
    if not condition:
        raise MalformedError(problem)
