"""The running table: observations and commands in, entries into the journal, and how the table stands.

One thread at a time: whoever serves it to several holds a lock around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, TypeVar

from engine.actions import Action
from engine.core import MalformedError
from engine.pieces import Tile
from engine.state import State
from engine.words import Said, capital, say
from referee.decoder import NOTHING_DONE, Decision, Explanation, Kind, decide, done_since, forced_action, history
from referee.evidence import Evidence
from referee.fold import Game, fold
from referee.games import reader_for
from referee.hands import Hands
from referee.journal import Draft, Entry, Journal, numbered
from referee.likeness import Likeness
from referee.policy import Policy
from referee.proof import ToPicture, close_up, noticed
from referee.reading import CLEAR, Expected, Place, Reader, Reading, clear, differences, left_over
from referee.setting import Point, Setting
from referee.vouched import Vouched, against_backs, shown
from vision.frame import Image
from vision.observation import Observation, TableState

Value = TypeVar("Value")

LOOK_BACK = 6
"""How many actions back a take-back or a better reading may change."""


class Refused(ValueError):
    """A command that cannot be done; the text says why, for the player. stale: it answers an older table."""

    def __init__(self, reason: str, stale: bool = False) -> None:
        super().__init__(reason)
        self.stale = stale


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Several explanations of the table, to be chosen from with one tap. pictures: names of those that show what is meant."""

    id: str
    text: str
    answers: tuple[Explanation, ...]
    pictures: tuple[str, ...] = ()


def refereed_by(setting: Setting) -> Reader:
    """Who reads the table of a setting; Refused with the reason where no game can begin by it."""
    try:
        setting.new_state()
        return reader_for(setting)
    except MalformedError as error:
        raise Refused(_sentence(error)) from error


def _sentence(error: Exception) -> str:
    text = str(error)
    if isinstance(text, Said):
        return text
    return capital(text) + ("" if text.endswith((".", "?", "!")) else ".")


def _of_a_game(value: Value | None) -> Value:
    """What there is once a game has been set up; Refused before."""
    if value is None:
        raise Refused(say("No game has been set up at this table."))
    return value


def _but_for_names(setting: Setting) -> Setting:
    """What of a setting says how the table is read."""
    return replace(setting, seats=tuple(replace(seat, name="") for seat in setting.seats), hints="best")


def _to_the_end(state: State, actions: Sequence[Action]) -> Iterator[Action]:
    """What was done in a state, and what follows of itself; each is pushed before the next is asked for."""
    yield from actions
    while (forced := forced_action(state)) is not None:
        yield forced


def _let_go(state: State, seat: int | None, action: Action) -> list[Action]:
    """What others let go before this seat does this, done in the state: the first who calls points has them (All Fives, A5)."""
    done: list[Action] = []
    while seat is not None and state.turn is not None and not (state.turn == seat and state.verify(action)):
        skip = next((each for each in state.legal() if each.kind == "skip"), None)
        if skip is None or (state.turn != seat and action.kind != "muggins"):  # own points wait for those who may call others'
            break
        state.push(skip)
        done.append(skip)
    return done


class Table:
    """One game at one table."""

    def __init__(self, journal: Journal, evidence: Evidence | None = None) -> None:
        self.journal, self.evidence = journal, evidence
        self.game = fold(journal.entries())
        self._reader = refereed_by(self.game.setting) if self.game.setting is not None else None
        self.policy = Policy()
        self.decided: Decision | None = None  # the latest, acted upon or not
        self.word: str = TableState.UNCALIBRATED
        self.seen: Observation | None = None
        self.reading = Reading({})
        self.provisional: Decision | None = None
        self.alarm: Decision | None = None
        self.question: Question | None = None
        self.repair: dict[str, bool] | None = None  # what to put right, in plain words, and whether that has been seen done
        self.lacking: tuple[str, ...] = ()
        self.ready = False
        self.hands = Hands()
        self.waved_off: tuple[object, ...] = ()
        self.withdrawn = self._undone()
        self.vouched = Vouched()
        self.likeness = Likeness()
        self.faint: Mapping[Place, float] = {}  # how surely a tile was last read where one lies
        self._before: Image | None = None
        self._now: Image | None = None
        self._to_picture: ToPicture | None = None
        self._asked = 0

    # Setting.

    @property
    def setting(self) -> Setting:
        return _of_a_game(self.game.setting)

    @property
    def state(self) -> State:
        return _of_a_game(self.game.state)

    @property
    def reader(self) -> Reader:
        return _of_a_game(self._reader)

    @property
    def seem_open(self) -> bool:
        """Whether before a deal tiles seem to lie open among those that lie face down."""
        dealing = self._reader is not None and self._reader.all_down and self.state.chance == "deal"
        return dealing and bool(self.lacking) and self.seen is not None and bool(against_backs(self._told(self.seen)))

    def set_up(self, setting: Setting, time: float, who: str = "host") -> None:
        """Begin a game, or change names, seats or slots of the one that runs.

        Refused for another game in its midst, or rules by which what was played does not fit; then nothing has changed.
        """
        old = self.game.setting
        if old is not None and (old.game, len(old.seats)) != (setting.game, len(setting.seats)) and self.game.acts:
            raise Refused(say("Another game is running at this table."))
        reader = refereed_by(setting)
        entries, game = self._folded([Draft("setting", who, setting.to_json())], time)
        if len(game.waiting) > len(self.game.waiting):
            raise Refused(say("What has been played does not fit these rules: begin a new game by them."))
        self._keep(entries, game)
        self._reader = reader
        if old is None or _but_for_names(old) != _but_for_names(setting):
            self.reading = Reading({})

    # What the camera brings.

    def observe(self, seen: Observation, image: Image | None = None, to_picture: ToPicture | None = None) -> None:
        """Take what the camera knows now; `image`: (H, W, 3) BGR, kept as evidence where something comes of it.

        to_picture: from the table to the image's pixels; with it a close-up is kept too.
        """
        self.seen, self._to_picture = seen, to_picture
        if not seen.settled and self.policy.disturbed(seen.state is TableState.HAND):
            self.hands.shown()
        if self.game.setting is not None:
            self.hands.see(seen, self.game.setting)
        if self.game.setting is None or not seen.settled:
            self.provisional = None
            self.word = str(seen.state)
            return
        self._now = image
        self.vouched = self.vouched.after(seen)
        read = self._supposed(self.state, self._told(seen))
        self.vouched = self.vouched.found(read)
        self.faint = self._last_read(read, seen)
        hands = self.hands
        self.reading = replace(self.vouched.excused(read), faint=self.faint, reached=hands.reached, lately=hands.lately,
                               in_vain=hands.in_vain, lifted=hands.lifted, untouched=hands.untouched)
        if self.state.chance == "deal" and not self._set_up_seen():
            self._calm()  # hands that wash and deal are no player's turn
            return
        self.decided = decision = decide(self.reader, history(self.state, LOOK_BACK), self.reading, self.policy.shown)
        if self.state.outcome() is not None and not (decision.kind is Kind.PLAY and decision.best.undone):
            self.word = "ready"  # the last play may still be done otherwise; beyond that tiles are put away
            return
        ripe = self.policy.see(decision, seen.time)
        self._weigh(decision, ripe, seen.time)

    def _last_read(self, read: Reading, seen: Observation) -> Mapping[Place, float]:
        """How surely tiles were last read, by the camera alone, where the state has any."""
        scores = {tile.track: tile.score for tile in seen.tiles}
        now = {place: scores.get(sight.track, 1.0) for place, sight in read.tiles.items()}
        return {place: now.get(place, self.faint.get(place, 1.0)) for place in self.reader.expected(self.state, read).tiles}

    def _set_up_seen(self) -> bool:
        """Whether all lay ready for this round before, and now something else is to be explained. Who leads at once lays the
        first tile before anybody saw all lie ready: it alone lies open then, and nothing else is amiss."""
        if self.reading.drawn:
            return True
        lacking = tuple(self.reader.unready(self.state, self.reading))
        advice = tuple(self.reader.advice(self.state, self.reading))
        if lacking and (self.ready or (self.reading.led and not advice)) and not self.reader.open_deal:
            return True
        if not lacking and self.reader.open_deal:
            self.lacking = ()
            return True
        self.lacking, self.ready = (*lacking, *advice), not lacking
        return False

    def _weigh(self, decision: Decision, ripe: bool, time: float) -> None:
        """Act upon a decision, or show that it is coming."""
        if decision.key == self.waved_off:
            self.provisional, self.word = None, "ready"
            return
        if decision.kind is Kind.PLAY and (decision.best.key == self.withdrawn or self._overrules(decision.best)):
            decision = replace(decision, kind=Kind.ASK, answers=(decision.best, NOTHING_DONE))
        if decision.kind is Kind.PLAY and self._still_broken(decision.best):
            self.provisional, self.word = None, "illegal"
            return
        self.provisional = decision if decision.kind is Kind.PLAY else None
        if decision.kind is Kind.NOTHING:
            self._calm()
            return
        if decision.kind is Kind.OUT_OF_SYNC and self.repair is not None:
            self.repair = {step: step not in decision.steps for step in (*self.repair, *decision.steps)}
        if not ripe:
            self.word = self.word if self.word in ("illegal", "asking", "out-of-sync") else "reading"
            return
        if decision.kind in (Kind.PLAY, Kind.UNDO):
            self._commit(decision.best, "camera", time, decision)
        elif decision.kind in (Kind.ILLEGAL, Kind.UNFINISHED):
            self._raise(decision, time)
        elif decision.kind is Kind.ASK:
            self._ask(decision)
        else:
            self.alarm = self.question = None
            self.repair = self.repair or dict.fromkeys(decision.steps, False)
            self.word = "out-of-sync"

    def _still_broken(self, best: Explanation) -> bool:
        """Whether what broke a rule lies there still, and is not explained: it lay there before what was done since, and either
        it was no fault, or that is played on nothing."""
        if self.alarm is None or self.alarm.best.breach is None or self.alarm.kind is not Kind.ILLEGAL:
            return False
        laid = self.alarm.best.breach.supposed.tiles.keys() - self.reader.expected(self.state, self.reading).tiles.keys()
        return any(left.kind == "extra" and left.place in laid for left in best.misfit)

    def _overrules(self, best: Explanation) -> bool:
        """Whether it takes back what people have said: then they are asked, whoever is right."""
        standing = self.game.standing
        return any(act.entry.who not in ("camera", "rules") for act in standing[len(standing) - best.undone :])

    def _undone(self) -> tuple[object, ...]:
        """The key of what a person has just undone: where it still lies there it is asked about, not believed again."""
        if not self.game.withdrawn:
            return ()
        return replace(NOTHING_DONE, actions=tuple(map(self.state.action_of, self.game.withdrawn))).key

    def _calm(self) -> None:
        """The table is as the state says."""
        self.alarm = self.question = self.repair = None
        self.waved_off = self.withdrawn = ()
        self.hands.left_all()
        if self._now is not None:
            self._before = self._now
        self.word = "ready"

    def _raise(self, decision: Decision, time: float) -> None:
        """Report a rule that is broken, once, with its evidence."""
        self.question = self.repair = None
        if self.alarm is None or self.alarm.key != decision.key:
            self.alarm = decision
            if decision.kind is Kind.ILLEGAL:
                assert decision.best.breach is not None
                breach, verdict = decision.best.breach, decision.best.breach.verdict
                seen = noticed(self.reader.expected(self.state, self.reading), breach.supposed, self.reading)
                note = {"what": "illegal", "rule": verdict.rule, "sentence": verdict.sentence,
                        "words": list(decision.best.words), "sure": round(decision.best.share, 4),
                        **self._proof(seen, breach.center)}
                self._add([Draft("note", "camera", note)], time)
        self.word = "illegal" if decision.kind is Kind.ILLEGAL else "reading"

    def _ask(self, decision: Decision) -> None:
        self.alarm = self.repair = None
        if self.question is None or self.question.answers[0].key != decision.answers[0].key:
            self._asked += 1
            best = decision.answers[0]
            first = best.words[-1] if best.words else say("Nothing has changed.")
            proof = self._proof(self._noticed(best), best.breach.center if best.breach else None)
            self.question = Question(f"{self.game.revision}.{self._asked}", say("What happened? {sentence}", sentence=first),
                                     decision.answers, tuple(proof.get("pictures", ())))
        self.word = "asking"

    # Committing.

    def _commit(self, best: Explanation, who: str, time: float, decision: Decision | None = None,
                token: str | None = None) -> None:
        """Write what was done to the journal, then believe it."""
        standing = self.game.standing
        drafts = []
        state = self._back(best.undone)
        before = self.reader.expected(state, self.reading)
        proof = self._proof(self._noticed(best)) if who == "camera" else {}
        if decision is not None:
            proof["sure"] = round(best.share, 4)
            proof["weighed"] = [[" ".join(each.said), round(each.share, 4)] for each in decision.tried]
        if gone := [*standing[len(standing) - best.undone:], *self.game.waiting]:  # who goes on lets go what no longer fits
            drafts.append(Draft("undo", who, {"entries": [act.entry.number for act in gone], **proof}))
        for at, action in enumerate(_to_the_end(state, best.actions)):
            done = {"action": str(action), "words": self.reader.words(state, action)}
            by_rule = at > 0 and action == forced_action(state)
            drafts.append(Draft("act", "rules", done) if by_rule else Draft("act", who, done | proof))
            drafts += [Draft("note", "camera", {"what": "revoke", "rule": "revoke", "sentence": sentence})
                       for sentence in self.reader.revokes(state, action)]
            state.push(action)
        if (answered := self._answered(best)) is not None and who == "camera":
            drafts.append(Draft("note", "camera", {"what": "answered", "sentence": answered}))
        drafts[-1] = replace(drafts[-1], token=token)  # the last of what the command did, so that its number is the answer
        self._add(drafts, time)
        if who != "camera":
            misfit = differences(self.reader.expected(state, self.reading), self.reading)
            self.vouched = self.vouched.overrule(misfit, self.reading, time)
        else:
            laid = self.reader.expected(state, self.reading).tiles.keys() - before.tiles.keys()
            self.vouched = self.vouched.deny_second(laid, best.misfit, self.reading)
        self._learn(before, state, who != "camera")
        all_of_it = clear(left_over(best.misfit, differences(before, self.reading))) <= CLEAR
        if all_of_it or any(each.key == best.key for each in self.policy.shown):
            self.hands.forget(but_lately=not all_of_it)  # where more has been done than that, by whom still matters
        self._after_change(self.policy.since if decision is not None else None)

    def _answered(self, best: Explanation) -> str | None:
        """That what was asked is told by what came after it; None where nothing was, or this is something else."""
        question = self.question
        if question is None:
            return None
        told = [each for each in question.answers if each.actions and each.undone == best.undone
                and best.actions[: len(each.actions)] == each.actions]
        if not told or len(best.actions) == len(told[0].actions):  # the likeliest answer, only surer
            return None
        return say("What was asked is told by what followed: {sentence}", sentence=told[0].words[-1])

    def _learn(self, before: Expected, state: State, vouched: bool) -> None:
        """Learn from what was laid how the set's numbers look. vouched: a person says so, which outweighs how it is read."""
        if self.seen is None:
            return
        seen = self.likeness.told(self.seen)
        reading = self._supposed(state, seen) if seen.settled else Reading({})
        lies = self.reader.expected(state, reading)
        misread = {place for place, sight in reading.tiles.items() if sight.track in self.vouched.misread}
        told = {place: laid for place, laid in lies.tiles.items() if before.tiles.get(place) != laid or place in misread}
        as_read = {tile.track: tile for tile in self.seen.tiles}
        for track, ends in shown(told, reading, seen).items():
            self.likeness = self.likeness.learned(as_read[track], ends)
        if vouched:
            pieces = [place for place, label in lies.pieces.items() if before.pieces.get(place) != label]
            self.vouched = self.vouched.add(told, reading, seen, pieces)

    def _ask_camera_again(self, undone: State) -> None:
        """What people said of the tiles that lay there in a state that was undone does not hold any more."""
        was, lies = (self.reader.expected(state, self.reading) for state in (undone, self.state))
        places = {place for place, laid in was.tiles.items() if lies.tiles.get(place) != laid}
        places |= {place for place, label in was.pieces.items() if lies.pieces.get(place) != label}
        tracks = {self.reading.tiles[place].track for place in places if place in self.reading.tiles}
        self.vouched, self.likeness = self.vouched.without(tracks, places), self.likeness.without(tracks)

    def _told(self, seen: Observation) -> Observation:
        """What is seen, by one who knows how this set looks, and what people have said."""
        return self.vouched.told(self.likeness.told(seen))

    def _supposed(self, state: State, seen: Observation) -> Reading:
        """What is seen if this is the state, by what earlier looks have shown; nothing is remembered of that."""
        return self.reader.read(seen, state, self.reading.noted or self.reader.unread)

    def after(self, best: Explanation) -> State:
        """The state once all of that was done which is legal."""
        state = self._back(best.undone)
        for action in best.actions:
            state.push(action)  # not on a copy: readers remember how much was done
        return state

    def _back(self, undone: int) -> State:
        state = self.state.branch()
        for _ in range(undone):
            state.pop()
        return state

    def _after_change(self, lying: float | None = None) -> None:
        self.policy.acted(lying)
        self.provisional = self.alarm = self.question = self.repair = None
        self.waved_off = self.withdrawn = ()
        self._before = self._now
        self.ready = False  # asked for again before the next deal
        self.word = "ready"

    def _noticed(self, best: Explanation) -> list[dict[str, Any]]:
        """What is seen of the actions that explain the table."""
        assert self.seen is not None
        now = self.reader.expected(self.state, self.reading)
        after = self.after(best)
        reading = self._supposed(after, self._told(self.seen))
        shown = [getattr(action, "seat", 0) for action in best.actions if action.kind == "show"]
        return noticed(now, self.reader.expected(after, reading), reading, shown)

    def _proof(self, seen: list[dict[str, Any]], center: Point | None = None) -> dict[str, Any]:
        """What was seen, and pictures before and after, the last one close up, where there are any."""
        proof: dict[str, Any] = {"seen": seen}
        if self.seen is not None:
            proof["frame"] = self.seen.frame
        if self.evidence is not None and self._now is not None:
            after = self.evidence.keep(self._now)
            before = self.evidence.keep(self._before) if self._before is not None else after
            proof["pictures"] = [before, after]
            centers = [each["center"] for each in seen if "center" in each] or ([center] if center is not None else [])
            near = close_up(self._now, centers, self._to_picture) if self._to_picture is not None else None
            if near is not None:
                proof["pictures"].append(self.evidence.keep(near, quality=90))
        return proof

    def _add(self, drafts: list[Draft], time: float) -> None:
        """Write what folds to the journal, then believe it; Refused, and no trace of it, for what does not."""
        self._keep(*self._folded(drafts, time))

    def _folded(self, drafts: list[Draft], time: float) -> tuple[list[Entry], Game]:
        entries = numbered(drafts, self.game.revision, time)
        try:
            return entries, self.game.after(entries)
        except MalformedError as error:
            raise Refused(_sentence(error)) from error

    def _keep(self, entries: list[Entry], game: Game) -> None:
        try:
            self.journal.add(entries)
        except OSError as error:
            raise Refused(str(error)) from error
        self.game = game

    # Commands of people.

    def act(self, command: Mapping[str, Any], time: float, who: str = "host", token: str | None = None) -> int:
        """Do a command; the revision after it. A token that was used before does nothing again and answers the same.

        `{"do": "play", "action": TEXT}` (with `seat` what that seat calls, before others do),
        `{"do": "undo", "entry": N}` (with what followed of itself; without `entry` the last that stands, with what waits),
        `{"do": "edit", "entry": N, "action": TEXT}`, `{"do": "answer", "question": ID, "choice": N}`, `{"do": "dismiss"}`,
        `{"do": "hand", "seat": N, "tiles": [TEXT]}`. Raises Refused with the reason.
        """
        if token is not None and token in self.game.tokens:
            return self.game.tokens[token]
        doings: dict[str, Callable[[Mapping[str, Any], float, str, str | None], None]] = {
            "play": self._do_play, "undo": self._do_undo, "edit": self._do_edit, "answer": self._do_answer,
            "dismiss": self._do_dismiss, "hand": self._do_hand}
        do = doings.get(str(command.get("do")))
        if do is None:
            raise Refused(say("There is no command {do}.", do=repr(command.get("do"))))
        try:
            do(command, time, who, token)
        except Refused:
            raise
        except (KeyError, TypeError, AttributeError) as error:
            raise Refused(say("The command {do} lacks something: {error}.", do=command["do"], error=error)) from error
        except ValueError as error:
            raise Refused(_sentence(error)) from error
        return self.game.tokens.get(token or "", self.game.revision)

    def _do_play(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        state = self.state.copy()
        action = state.action_of(command["action"])
        before = _let_go(state, command.get("seat"), action)
        verdict = state.verify(action)
        if not verdict:
            raise Refused(f"{verdict.sentence} ({verdict.rule})")
        self._commit(replace(NOTHING_DONE, actions=(*before, action)), who, time, token=token)

    def _do_undo(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        standing = [act for act in self.game.acts if not act.undone]
        if not standing:
            raise Refused(say("There is nothing to undo."))
        numbers = [act.entry.number for act in standing]
        last = next((act.entry.number for act in reversed(self.game.standing) if act.entry.who != "rules"), numbers[0])
        if (entry := command.get("entry", last)) not in numbers:
            raise Refused(say("That entry is no play that stands."))
        followed = takewhile(lambda act: act.entry.who == "rules", standing[numbers.index(entry) + 1 :])
        gone = [entry, *(act.entry.number for act in (*followed, *(() if "entry" in command else self.game.waiting)))]
        before = self.state
        self._add([Draft("undo", who, {"entries": gone}, token)], time)
        self.hands.forget()
        self._ask_camera_again(before)
        self._after_change()
        self.withdrawn = self._undone()

    def _do_edit(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        state, number = self.state, command["entry"]
        state.action_of(command["action"])
        at = next((at for at, act in enumerate(self.game.acts) if act.entry.number == number and not act.undone), None)
        if at is None:
            raise Refused(say("That entry is no play that stands."))
        entries, game = self._folded([Draft("edit", who, {"entry": number, "action": command["action"]}, token)], time)
        if game.acts[at].problem:
            raise Refused(game.acts[at].problem)
        before = self.state
        self._keep(entries, game)
        self.hands.forget()
        self._ask_camera_again(before)
        self._learn(self.reader.expected(before, self.reading), self.state, True)
        self._after_change()

    def _do_answer(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        question = self.question
        if question is None or command["question"] != question.id:
            raise Refused(say("That question has been answered."), stale=True)
        choice = command["choice"]
        if type(choice) is not int or not 0 <= choice < len(question.answers):
            raise Refused(say("There is no such answer."))
        answer = question.answers[choice]
        if answer.actions or answer.undone:
            later = done_since(answer, self.policy.decision)
            lies = self.reader.expected(self.after(answer), self.reading)
            misfit = tuple(differences(lies, self.reading))  # others may have gone on since it was asked
            self._commit(replace(answer, breach=None, misfit=misfit), who, time, token=token)
            if later is not None:
                self._commit(later, "camera", time)
            return
        self._do_dismiss(command, time, who, token)

    def _do_dismiss(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        """What the camera thinks it sees is no play: leave it until the table changes; before a deal, none lies open."""
        if self.seem_open and self.seen is not None:
            self.vouched = self.vouched.all_down(self.seen)
        self._add([Draft("note", who, {"what": "dismissed"}, token)], time)
        self.hands.forget()
        self._after_change()
        self.waved_off = self.decided.key if self.decided is not None else ()  # hands may be over the table again

    def _do_hand(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        seat, tiles = command["seat"], [Tile.parse(text) for text in command["tiles"]]
        if type(seat) is not int or not 0 <= seat < self.state.players:
            raise Refused(say("There is no seat {seat}.", seat=seat))
        self._add([Draft("hand", who, {"seat": seat, "tiles": [str(tile) for tile in tiles]}, token)], time)
