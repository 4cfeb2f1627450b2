"""A session as the page needs it: a version that counts what can be seen, moments to show, and people's deeds done in turn.

The referee looks at every frame and counts a revision with every entry; a page wants to hear of no frame that changes
nothing, nor to be refused because of one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from engine.actions import Action
from engine.core import IllegalError
from engine.games import game
from engine.pieces import Tile
from engine.state import State
from engine.words import joined, say
from referee import table as refereeing
from referee.account import account, picture
from referee.decoder import Explanation, Kind
from referee.fold import Act, Game
from referee.games import reader_for
from referee.journal import Entry as JournalEntry
from referee.message import message
from referee.recording import Recorder
from referee.session import Session
from referee.setting import Setting
from referee.shelf import Shelf, sense
from webui.cameras.stand import CameraStand
from webui.live.games import FACES
from webui.live.running import (
    Accept,
    Begin,
    Choice,
    Deed,
    Do,
    Edit,
    Entry,
    Fault,
    Moment,
    Offered,
    Past,
    Played,
    Question,
    Refused,
    Reply,
    Resume,
    Stale,
    Step,
    Tell,
    Undo,
    View,
)

LOOKS = 2**16
"""So many versions of a table show the same entries, before they are counted from the first again."""


class Refereed:
    """The table of a session, for many threads: they wait for its moments, and their deeds wait in the session's line.

    renew: gives the session an empty table, for another game than the one that runs. shelf: where the game before may be found.
    """

    def __init__(
        self, session: Session, stand: CameraStand | None = None, renew: Callable[[], None] | None = None,
        shelf: Shelf | None = None, clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._session, self._stand, self._renew, self._shelf, self._clock = session, stand, renew, shelf, clock
        self._changed = threading.Condition()
        self._version = 0
        self._shown: tuple[object, ...] = ()
        self._notice()
        session.told = self._notice

    @property
    def _table(self) -> refereeing.Table:
        return self._session.refereed

    # What the page asks.

    @property
    def records(self) -> bool:
        return isinstance(self._session.sink, Recorder)

    @property
    def offered(self) -> Offered | None:
        kept = self._shelf.offered if self._shelf is not None else None
        if self._shelf is None or kept is None or kept.game.setting is None:
            return None
        last = kept.game.standing[-1]
        return Offered(kept.game.setting, last.entry.time, last.scores, self._shelf.said)

    def recording(self, file: BinaryIO) -> None:
        def save() -> None:
            if not isinstance(self._session.sink, Recorder):
                raise Refused(say("This game is not recorded."))
            self._session.sink.save(file, self._table)

        self._session.call(save)

    def moment(self) -> Moment:
        with self._changed:
            return self._now

    def wait(self, version: int, seconds: float) -> None:
        with self._changed:
            if self._version == version:
                self._changed.wait(seconds)

    def is_current(self, version: int) -> bool:
        game = self._table.game
        return version // LOOKS == _version(game, game.revision) // LOOKS

    def done(self, token: str) -> int | None:
        game = self._table.game
        return _version(game, game.tokens[token]) if token in game.tokens else None

    def do(self, version: int, who: str, deed: Deed, token: str | None = None) -> int:
        return self._session.call(lambda: self._checked(version, who, deed, token))

    def _checked(self, version: int, who: str, deed: Deed, token: str | None) -> int:
        if not self.is_current(version) and not isinstance(deed, Tell):
            raise Stale
        try:
            self._do(who, deed, token)
        except refereeing.Refused as error:
            if error.stale:
                raise Stale from error
            raise Refused(str(error)) from error
        return (self.done(token) if token is not None else None) or self._version

    def _do(self, who: str, deed: Deed, token: str | None) -> None:
        session, now = self._session, self._clock()
        match deed:
            case Begin(setting, anew):
                self._begin(setting, anew, who)
            case Resume() if self._shelf is not None:
                self._session.turn_to(self._shelf.resume())
            case Do(action, seat):
                verdict = self._table.state.verify(action)
                if not verdict and seat is None:
                    raise IllegalError(verdict)
                session.act({"do": "play", "action": str(action), "seat": seat}, now, who, token)
            case Undo():
                session.act({"do": "undo"}, now, who, token)
            case Edit(number, None):
                self._leaves_the_rest(number, None)
                session.act({"do": "undo", "entry": number}, now, who, token)
            case Edit(number, action):
                self._leaves_the_rest(number, action)
                session.act({"do": "edit", "entry": number, "action": str(action)}, now, who, token)
            case Reply(question, choice):
                answer = int(choice) if choice.isdigit() else -1
                session.act({"do": "answer", "question": question, "choice": answer}, now, who, token)
            case Accept():
                session.act({"do": "dismiss"}, now, who, token)
            case Tell(seat, tiles):
                session.act({"do": "hand", "seat": seat, "tiles": [str(tile) for tile in tiles]}, now, who, token)

    def _begin(self, setting: Setting, anew: bool, who: str) -> None:
        if anew and self._table.game.acts and self._renew is not None:
            refereeing.refereed_by(setting)  # what is refused ends no game
            self._renew()
        self._session.set_up(setting, self._clock(), who)

    def before(self, number: int) -> State:
        def state() -> State:
            game = self._table.game
            if not any(act.entry.number == number and not act.undone for act in game.acts):
                raise Refused(say("There is no such entry."))
            before = self._table.setting.new_state()
            for act in game.standing:
                if act.entry.number < number:
                    before.push(_action(self._table.setting.game, act.text))
            return before

        return self._session.call(state)

    def _leaves_the_rest(self, number: int, action: Action | None) -> None:
        """Refused where what was played after an entry would not fit this change of it: it would stand there and not count."""
        state = self.before(number)
        if action is not None:
            if not state.verify(action):
                return  # the table says why
            state.push(action)
        for act in self._table.game.standing:
            if act.entry.number > number:
                later = _action(self._table.setting.game, act.text)
                if not (verdict := state.verify(later)):
                    raise Refused(say("What was played afterwards would not fit: {reason}", reason=verdict.sentence))
                state.push(later)

    def hand(self, seat: int) -> tuple[Tile, ...]:
        return self._session.call(lambda: self._table.game.hand(seat))

    def told(self, game: str, seat: int, number: int) -> tuple[Tile, ...]:
        if not game:
            return self._session.call(lambda: self._table.game).hand(seat, number)
        return self._kept(game).hand(seat, number)

    def misread(self, picture: str, wrong: bool = True) -> None:
        if self._shelf is None or self.evidence(picture) is None:
            raise Refused(say("There is no such picture."))
        self._shelf.misread(picture, wrong)

    @property
    def misreadings(self) -> frozenset[str]:
        return self._shelf.misreadings() if self._shelf is not None else frozenset()

    def past(self) -> tuple[Past, ...]:
        files = self._shelf.past() if self._shelf is not None else []
        return tuple(past for file in files if (past := _past(file)) is not None)

    def played(self, name: str) -> Played | None:
        kept = self._kept(name)
        if kept.setting is None:
            return None
        return Played(name, kept.setting, tuple(_entries(kept.setting, kept.standing)))

    def _kept(self, name: str) -> Game:
        """A game of before; an empty one where none has that name."""
        files = self._shelf.past() if self._shelf is not None else []
        return next((sense(file).game for file in files if file.stem == name), Game())

    def evidence(self, name: str) -> bytes | None:
        if self._table.evidence is None:
            return None
        try:
            file = self._table.evidence.file(name)
        except ValueError:
            return None
        return file.read_bytes() if file else None

    def account(self) -> dict[str, Any]:
        return self._session.call(lambda: account(self._session))

    def account_picture(self) -> bytes | None:
        return self._session.call(lambda: picture(self._session))

    def view(self) -> View | None:
        return self._stand.view() if self._stand else None

    # What is shown.

    def _notice(self) -> None:
        """After a step of the session: show its camera's health, and a new moment where anything that is shown has changed."""
        table, stand, seen = self._table, self._stand, self._session.seen
        if stand is not None:
            stand.profile = self._session.profile
            if seen is not None:
                stand.word, stand.quality = str(seen.state), seen.quality
        question, repair = table.question, table.repair
        shown: tuple[object, ...] = (
            id(table),
            table.game.revision,
            table.word,
            stand.name if stand is not None else "",
            table.alarm.key if table.alarm else None,
            question.id if question else None,
            repair,
            table.provisional.key if table.provisional else None,
            table.lacking,
        )
        if shown == self._shown or table.game.setting is None:
            return
        self._shown = shown
        with self._changed:
            first = _version(table.game, table.game.revision)
            self._version = first + (self._version + 1) % LOOKS if self._version // LOOKS == first // LOOKS else first
            self._now = self._moment()
            self._changed.notify_all()

    def _moment(self) -> Moment:
        table = self._table
        setting, state = table.setting, table.state.copy()
        acts = table.game.acts
        played = _entries(setting, acts)
        standing = [entry for entry in played if not entry.undone]
        notes = [_noted(note) for note in table.game.notes if note.data.get("what") in ("illegal", "revoke", "answered")]
        entries = tuple(sorted((*played, *notes), key=lambda entry: entry.number))
        best = table.provisional.best.actions if table.provisional else ()
        word = table.word if self._stand is not None and self._stand.name else "ready"
        lacking = table.lacking[0] if table.lacking and state.chance == "deal" else ""
        going_on = table.alarm is not None and table.alarm.kind is Kind.UNFINISHED
        calm = word in ("ready", "hand", "moving", "reading") and not going_on
        return Moment(
            self._version,
            setting,
            state,
            word,
            lacking if calm else message(table),
            entries,
            best[-1] if best else None,
            self._fault(),
            self._question(),
            tuple(Step(*step) for step in (table.repair or {}).items()) or tuple(map(Step, self._not_ready())),
            standing[-1].words if standing else "",
        )

    def _not_ready(self) -> tuple[str, ...]:
        """What the set-up seems to lack, where people may say that it does not."""
        return self._table.lacking if self._table.seem_open else ()

    def _fault(self) -> Fault | None:
        alarm = self._table.alarm
        if alarm is None or alarm.kind is not Kind.ILLEGAL or (breach := alarm.best.breach) is None:
            return None
        notes = [note.data for note in self._table.game.notes if note.data.get("what") == "illegal"]
        pictures = tuple(notes[-1].get("pictures", ())) if notes else ()
        words = joined(alarm.best.words) or breach.words
        return Fault(words, breach.verdict, breach.action, breach.seat, pictures, self._table.after(alarm.best))

    def _question(self) -> Question | None:
        question = self._table.question
        if question is None:
            return None
        before = [act.text for act in self._table.game.standing]

        def done(answer: Explanation) -> tuple[str, ...]:
            return (*before[: len(before) - answer.undone], *map(str, answer.actions))

        choices = tuple(Choice(str(at), joined(answer.said), done=done(answer)) for at, answer in enumerate(question.answers))
        return Question(question.id, question.text, choices, question.pictures)


@cache
def _past(file: Path) -> Past | None:
    """What a list tells of a journal that nobody writes to any more; None where nothing was done in it."""
    kept = sense(file).game
    acts = kept.standing
    if kept.setting is None or kept.state is None or not acts:
        return None
    result = kept.state.result
    winners = None if result is None else tuple(result.winners)
    return Past(file.stem, kept.setting, acts[0].entry.time, acts[-1].scores, winners)


def _version(game: Game, revision: int) -> int:
    """The first version that shows so many entries of a game. It says which game that is and how many, so that what is
    told from here to a page is understood after a restart, too; below 2**53, the largest number that a page can hold."""
    return (int(1000 * game.began) % 2**16 * 2**20 + revision) * LOOKS


def _entries(setting: Setting, acts: Sequence[Act]) -> list[Entry]:
    """The acts of a game as players read them; only one that was changed needs the state in which it was done to say so."""
    state = setting.new_state() if any(act.edited for act in acts) else None
    entries: list[Entry] = []
    for act in acts:
        entries.append(_entry(setting, act, state))
        if state is not None and not act.undone and not act.problem:
            state.push(_action(setting.game, act.text))
    return entries


def _entry(setting: Setting, act: Act, before: State | None) -> Entry:
    data = act.entry.data
    action = _action(setting.game, act.text)
    words = _changed(setting, act, before) if act.edited and before is not None else data.get("words", act.text)
    gone = act.undone or bool(act.problem)
    return Entry(act.entry.number, words, action, act.seat, act.entry.who, act.entry.time, tuple(data.get("pictures", ())),
                 data.get("sure"), gone, act.problem, act.scores)  # fmt: skip


def _changed(setting: Setting, act: Act, before: State) -> str:
    """What an entry says that was changed: as if it had been played so, where it fits what stands before it."""
    action = _action(setting.game, act.text)
    if before.verify(action):
        return reader_for(setting).words(before, action)
    name = setting.names[act.seat] if act.seat is not None else ""
    done = FACES[setting.game].words(action, None)
    return say("{name}: {deed}", name=name, deed=done) if name else done


def _noted(note: JournalEntry) -> Entry:
    """A rule that was broken, or a question that what followed has answered, which the history tells too: nothing to be changed,
    but it may have its pictures."""
    data = note.data
    sentence = joined((*data.get("words", ())[-1:], data["sentence"]))
    return Entry(note.number, sentence, None, None, note.who, note.time, tuple(data.get("pictures", ())),
                 data.get("sure"), rule=str(data.get("rule", "")))  # fmt: skip


@lru_cache(10_000)
def _action(name: str, text: str) -> Action:
    """The action of that game; a moment asks for all of a game's again."""
    return game(name).action_of(text)
