"""Whole games on the simulated table, through the whole pipeline: what was decoded right, asked, or silently wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from calibration.mats import MATS
from calibration.measure import calibrate
from calibration.profile import Profile
from engine.actions import Action
from engine.core import Flags
from engine.games import game as game_named
from engine.state import State
from referee.decoder import Kind
from referee.games import REFEREED
from referee.journal import Journal
from referee.recording import Recorder
from referee.session import Session
from referee.setting import Seat, Setting
from referee.table import Refused, Table
from simulator.piece_truth import profile_of
from simulator.staging.games import set_table, stage_of, with_sold_pieces
from simulator.staging.overhead import FROM_ABOVE, FROM_THE_SIDE, whole_view
from simulator.staging.players import Mischief, Players
from simulator.staging.setting import SEATS
from simulator.staging.setting import Setting as TableSetting
from simulator.tabletop.camera import Camera
from simulator.tabletop.happenings import Bump, Happening, Lighting, Move, Still, Together, Wash
from simulator.tabletop.look import LUMA, TESTING_SEEDS
from simulator.tabletop.render import Light, Renderer
from simulator.tabletop.simulated import Moment, SimulatedTable
from simulator.tabletop.traced import TracedRenderer, traceable
from trials.piece_pictures import shown_set
from trials.story import Story, as_it_looks, by_hand, is_said
from trials.tally import Judged, Tally, told_plays
from vision.exposure import Metering
from vision.frame import Frame
from vision.piece_sets import COMMON, PieceSet
from vision.pieces import PieceReader
from vision.reader import Reader

NAMES = ("Ann", "Ben", "Cem", "Dee")


LIKELY = Mischief(take_back=0.02, nudge=0.08, rest=0.05)
"""What goes wrong in every game of a trial; a bump and a change of the light come once in each besides."""

PATIENCE = 6.0
"""For how many seconds players look at a still table, and then put right by hand what the referee has not understood."""

LAST = 12.0
"""For how many seconds a game is looked at when it is over."""

LONGEST = 15.0
"""Nobody waits longer for the referee, seconds."""

CERTAIN = {"pass", "end", "touch"}
"""What may have to come and leave no trace: the referee may know it before it is done."""

HURRY = 0.15
"""The share of turns in which nobody looks whether the referee has understood the one before."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a trial is. wrong: share of turns in which an illegal play is tried first. mischief: what players do besides.
    bumps, lamps: in each game. leaning: how far the camera may be from the vertical, radians. dark: the tiles are black or
    nearly so. width: of the camera's picture, pixels."""

    wrong: float = 0.0
    mischief: Mischief = LIKELY
    bumps: int = 1
    lamps: int = 1
    leaning: tuple[float, float] = FROM_ABOVE
    dark: bool = False
    tidy: float = 1.0
    width: int = 1920


HARDER = Difficulty(0.0, Mischief(take_back=0.02, nudge=0.2, together=0.1, rest=0.1, lamp=0.05), bumps=2, lamps=3,
                    leaning=FROM_THE_SIDE, dark=True)
"""Black tiles from the side, hands that come together, tiles that are pushed, lamps that are switched."""

DARK_BODY = 0.2
"""Black tiles give back no more of the light than this."""


def table_of(state: State, seed: int, difficulty: Difficulty) -> TableSetting:
    """A table for a game, with a look of those that nothing was trained on: that of the seed, or the next with black tiles."""
    for further in count():
        look = TESTING_SEEDS[(seed + further) % len(TESTING_SEEDS)]
        table = set_table(state.game, state.players, look, state.rules, tidy=difficulty.tidy)
        if not difficulty.dark or float(table.look.style.body @ LUMA) < DARK_BODY:
            return table
    raise AssertionError("numbers do not end")


def calibrated(image: NDArray[np.uint8], camera: Camera, state: State, chips: Sequence[str]) -> tuple[Profile, Setting]:
    """The view measured from its tags, and a game whose players are registered where they sit in it. chips: by seat."""
    profile = calibrate(image, MATS)
    ends = profile.to_table(camera.project(np.array([[0.0, 0, 0], [100, 0, 0]])))
    turn = float(np.arctan2(*(ends[1] - ends[0])[::-1]))
    seats = tuple(Seat(NAMES[at], angle + np.pi + turn, chips[at]) for at, angle in enumerate(SEATS[len(chips)]))
    return profile, Setting(state.game, state.rules, seats, profile.area)


class Trial:
    """One game before the simulated camera, with a referee that sees nothing else.

    traced: the folder in which path-traced pictures are kept; without it they are painted. showing: whether the owner of a
    piecepack shows it to the camera first.
    """

    showing: ClassVar[bool] = True

    def __init__(self, game: str, players: int, seed: int, reader: Reader, journal: Path,
                 difficulty: Difficulty = Difficulty(), tell: Callable[[Judged], None] = lambda judged: None,
                 traced: Path | None = None, sink: Recorder | None = None, rules: Flags | None = None) -> None:
        rng = np.random.default_rng([seed, 77])
        self.state: State = game_named(game)(rules, players)
        self.setting = with_sold_pieces(game, table_of(self.state, seed, difficulty), seed)
        mischief = replace(difficulty.mischief, wrong=difficulty.wrong)
        self.players = Players(self.state, stage_of(game, self.setting), seed, mischief)
        self.camera = replace(whole_view(self.setting, rng, difficulty.leaning),
                              width=difficulty.width, height=9 * difficulty.width // 16)
        self.renderer: TracedRenderer | None = None
        if traced is not None:
            self.camera = traceable(self.camera)
            self.renderer = TracedRenderer(self.camera, self.setting.look, traced)
        self.story = Story(game_named(game)(rules, players))
        self.tell = tell
        self.game, self.difficulty, self.seed, self.rng = game, difficulty, seed, rng
        self.referee = Table(Journal(journal))
        pieces = PieceReader() if self.showing and REFEREED[game].pieces else None
        self.session = Session(reader, self.referee, sink=sink, pieces=pieces, own=self._shown(pieces) if pieces else COMMON)
        self.stale: list[str] = []  # what it believed when that was taken back, and may believe until it has had time to see
        self.wrong: Move | None = None
        self.reported: Move | None = None  # the last wrong play that was reported
        self.tally = Tally(games=1)
        self.hows: list[str] = []  # how each play so far was understood
        self.time = self.lag = 0.0  # lag: for how many still seconds the referee has been behind
        self.stirred = 0.0  # when anything last moved
        self.work: float | None = 0.0  # computing time since the table lies still; None once a decision was made
        self.alarmed: object = None
        self.metering = Metering()

    def _shown(self, pieces: PieceReader) -> PieceSet:
        """The owner's pieces, as learnt from showing them to the camera before the first game."""
        look, camera = self.setting.look, self.camera
        rng = np.random.default_rng([self.seed, 6])
        return shown_set(pieces, profile_of(camera, self.setting.area), Renderer(camera, look), look, rng)

    # What happens at the table.

    def happenings(self) -> Iterator[Happening]:
        """The players' moves, once a bump and once another light among them; they wait for a referee that has a question."""
        events: list[Happening] = []
        for _ in range(self.difficulty.bumps):
            angle, far = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(5, 40)
            turn = float(np.radians(self.rng.uniform(1, 5))) * float(self.rng.choice((-1, 1)))
            events.append(Bump(far * float(np.cos(angle)), far * float(np.sin(angle)), turn))
        for _ in range(self.difficulty.lamps):
            lamps = tuple(float(self.rng.choice((0.4, 1.0, 1.3))) for _ in range(2))
            events.append(Lighting(Light(lamps, float(self.rng.uniform(0.7, 1.2))), 0.4))
        at = sorted(self.rng.integers(3, 18, len(events)).tolist())
        for number, happening in enumerate(self.players.happenings()):
            while at and number >= at[0]:
                at.pop(0)
                yield events.pop()
            hurried = self.rng.random() < HURRY
            patient = not hurried and isinstance(happening, Move) and happening.note != "take-back"
            for _ in range(round(2 * LONGEST)):
                if not patient or not self._behind():
                    break
                yield Still(0.5)
            yield happening

    def _behind(self) -> bool:
        """Whether the referee has not yet understood the last play, or not yet seen the deal."""
        dealing = self.referee.game.state is None or (self.referee.state.chance == "deal" and not self.referee.ready)
        return dealing or not self._understood()

    def register(self, happening: Happening) -> None:
        """Note what the players have just done."""
        if isinstance(happening, Wash):
            self.story.due = len(self.story.state.pushed)
        moves = happening.moves if isinstance(happening, Together) else (happening,) if isinstance(happening, Move) else ()
        for move in moves:
            if move.note == "wrong":
                self.wrong = move
                self.tally.illegal_planted += 1
                self.tally.rules.setdefault(move.rule, [0, 0, 0])[0] += 1
                self.alarmed = None
            elif move.note == "take-back":
                if self.wrong is None:
                    self._take_back()
                elif self.reported is not self.wrong:
                    self.tally.troubles.append(f"{self.time:.1f} s: {self.wrong.rule} was not reported: "
                                               f"{self._complaint() or self.referee.word}")
                self.wrong = None
            elif move.actions and move.state is not None:
                actions = as_it_looks(self.story.state, move.actions)
                self.story.add(actions, move.state, self._deals)
                self.tally.plays += sum(by_hand(action, self.story.state) for action in actions)

    @property
    def _deals(self) -> list[Action]:
        """All deals of the game so far."""
        return [each for each in self.players.state.pushed if each.kind == "deal"]

    def _take_back(self) -> None:
        self.story.take_back()
        self.stale = self.done()[self._agreed() :]
        self.tally.plays -= 1
        if len(self.hows) > self.tally.plays:
            how = self.hows.pop()
            self.tally.right -= how == "right"
            self.tally.asked -= how == "asked"

    # The referee's side.

    def run(self, show: Callable[[Moment, Trial], None] | None = None) -> Tally:
        """Play the game out."""
        before: Happening | None = None
        for moment in self.moments():
            if moment.happening is not before:
                if before is not None:
                    self.register(before)
                before = moment.happening
            self.look(moment)
            if show is not None:
                show(moment, self)
            if moment.happening is None:
                self.story.due = len(self.story.state.pushed)
            if moment.doing == "still":
                self.judge()
        if not self._understood():
            self._help()
        self.tally.shares += told_plays(self.referee.journal.entries())
        self.tally.scores_right = int(self.referee.state.scores() == self.story.state.scores())
        return self.tally

    def moments(self) -> Iterator[Moment]:
        """What the camera sees, exposed as it is asked to."""
        table = SimulatedTable(self.setting, self.camera, self.players.table, self.happenings(), self.seed, LAST, self.renderer)
        for moment in table.moments():
            yield moment
            if self.session.seen is not None:
                self.metering.measured(self.session.seen.quality.white, moment.frame.time)
                table.expose(self.metering.stops)

    def look(self, moment: Moment) -> None:
        """One frame through the session."""
        self.time = moment.frame.time
        self.begin(moment.frame)
        start = time.process_time()  # not what a busy machine waits
        self.see(moment)
        spent = 1000 * (time.process_time() - start)
        if moment.doing != "still":
            self.work, self.stirred = 0.0, self.time
        elif self.work is not None:
            self.work += spent
            decision = self.referee.policy.decision
            if decision is not None and decision.kind is not Kind.NOTHING:
                self.tally.decision_ms.append(self.work)
                self.work = None

    def see(self, moment: Moment) -> None:
        """Let the session see."""
        self.session.see(moment.frame)

    def begin(self, frame: Frame) -> None:
        """By the first frame the view is measured and the game set up, before anybody plays."""
        if self.session.profile is not None:
            return
        chips = self.setting.look.edition.chips[: self.setting.players]
        profile, setting = calibrated(frame.image, self.camera, self.state, chips)
        self.session.measured(profile, frame.image)
        self.session.set_up(setting, frame.time)
        if self.referee.reader.open_deal:
            self.story.open(self.players.state.public(self.players.state.pushed[0]))

    def done(self) -> list[str]:
        """What the referee believes was done, chance too."""
        return [act.text for act in self.referee.game.standing]

    def agrees(self) -> bool:
        """Whether all that the referee believes was done."""
        return self._agreed() == len(self.done())

    def _agreed(self) -> int:
        """How many actions the referee believes as they were, before the first that was otherwise."""
        done, story = self.done(), self._story()
        pairs = zip(done, story, strict=False)
        return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(done), len(story)))

    def _story(self) -> list[str]:
        """All that was done, in the referee's words."""
        return self.story.texts(self.done())

    def _understood(self) -> bool:
        """Whether the referee believes all that was done; a pass that had to come it may know already, and that a die was passed
        nobody sees before the others have come to rest."""
        agreed = self._agreed()
        otherwise = self.done()[agreed:]
        if agreed >= self.story.due:
            return _kinds(otherwise) <= CERTAIN
        due, all_but = len(self._without_passed_dice(agreed, self.story.due)), self._without_passed_dice(agreed)
        return 0 < due <= len(otherwise) and otherwise == all_but[: len(otherwise)]

    def judge(self) -> None:
        """Compare what the referee believes with what was done; answer its questions, and help it where it is stuck."""
        alarm = self.referee.alarm
        if alarm is not None and alarm.kind is Kind.ILLEGAL and alarm.key != self.alarmed:
            self.alarmed = alarm.key
            self.tally.shares.append((alarm.best.share, self.wrong is not None))
            self._alarm(alarm.verdict.rule if alarm.verdict is not None else "")
        if self.done() and not self.story.state.pushed:
            self.story.deal(self.players.state, self._deals)  # the first lies there before anybody plays
        done, agreed = self.done(), self._agreed()
        otherwise = done[agreed:]
        self.stale = self.stale if otherwise == self.stale and self.lag <= PATIENCE else []
        if self._understood():
            self._cover("right")
            self.lag = 0.0
        elif otherwise and not self._may_believe(otherwise, agreed):
            self.tally.silent_wrong += 1
            self.tally.troubles.append(f"{self.time:.1f} s: believes {otherwise}, done was {self._story()[agreed:]}")
            self._put_right()
            self._cover("silent wrong")
        elif is_said(self._story()[agreed : self.story.due]):  # by one or several
            self._put_right()
        elif self.referee.question is not None and (complaint := self._complaint()) and self._answer():
            self.tally.asked += 1
            self.tally.troubles.append(f"{self.time:.1f} s: asked after {self.story.plays()[-2:]}: {complaint}")
            self._cover("asked")
        elif self.wrong is None:
            self.lag += 1 / self.camera.rate
            if self.lag > PATIENCE:
                self._help()

    def _may_believe(self, otherwise: list[str], agreed: int) -> bool:
        """Whether these actions beyond what was done are no error: just taken back, or a pass that has to come; or all but for a
        die that was passed."""
        if otherwise == self.stale or (agreed == len(self.story.state.pushed) and _kinds(otherwise) <= CERTAIN):
            return True
        return otherwise == self._without_passed_dice(agreed)[: len(otherwise)]

    def _without_passed_dice(self, agreed: int, until: int | None = None) -> list[str]:
        """What was done and not yet understood, but for the dice that were passed."""
        return [text for text in self._story()[agreed:until] if not text.startswith("pass ")]

    def _help(self) -> None:
        """Enter by hand what the referee did not understand."""
        lacking = self._story()[self._agreed() : self.story.due]
        self.tally.asked += 1
        self.tally.troubles.append(f"{self.time:.1f} s: stuck, {self.referee.word}: {self._complaint()}; not seen: {lacking}")
        if self.referee.seem_open:
            self.session.act({"do": "dismiss"}, self.time)
        self._put_right()
        self._cover("asked")

    def _cover(self, how: str) -> None:
        """Note of the plays that the referee knows by now how it came to know them."""
        plays = self.story.plays(self.story.due if how == "right" else min(self._agreed(), self.story.due))
        ms = self.tally.decision_ms[-1] if self.tally.decision_ms else 0.0
        for number, text in enumerate(plays[len(self.hows) :], len(self.hows)):
            if how == "right":
                self.tally.right += 1
                self.tally.entry_s.append(self.time - self.stirred)
            self.tally.asked += how == "asked" and number > len(self.hows)  # what is asked is counted where it is asked
            self.tell(Judged(number + 1, self.time, text, how, ms))
        self.hows += [how] * (len(plays) - len(self.hows))

    def _alarm(self, rule: str) -> None:
        if self.wrong is None:
            self.tally.false_alarms += 1
            self.tally.troubles.append(f"{self.time:.1f} s: false alarm {rule}")
            return
        if self.reported is self.wrong:
            return
        self.reported = self.wrong
        self.tally.illegal_reported += 1
        self.tally.illegal_rule_right += rule == self.wrong.rule
        if rule != self.wrong.rule:
            self.tally.troubles.append(f"{self.time:.1f} s: {rule} was reported, {self.wrong.rule} broken: {self._complaint()}")
        counts = self.tally.rules[self.wrong.rule]
        counts[1] += 1
        counts[2] += rule == self.wrong.rule

    def _complaint(self) -> str:
        table = self.referee
        if table.repair is not None:
            return "; ".join(table.repair)
        if table.question is not None:
            return " / ".join(" ".join(answer.words) for answer in table.question.answers)
        if table.alarm is not None and table.alarm.verdict is not None:
            return table.alarm.verdict.sentence
        return "; ".join(table.lacking)

    def _answer(self) -> bool:
        """Tap the answer that tells most of what was done, if there is one."""
        question = self.referee.question
        assert question is not None
        done = self.done()
        best, most = None, -1
        for at, answer in enumerate(question.answers):
            made = [*done[: len(done) - answer.undone], *map(str, answer.actions)]
            if answer.breach is None and len(made) > most and made != done and made == self.story.texts(made)[: len(made)]:
                best, most = at, len(made)
        if best is None:
            return False
        self.session.act({"do": "answer", "question": question.id, "choice": best}, self.time)
        return True

    def _put_right(self) -> None:
        """Enter by hand what was done."""
        while len(self.done()) > self._agreed():
            self.session.act({"do": "undo"}, self.time)
        while (agreed := self._agreed()) < self.story.due:  # a pass that had to come is entered with the play before it
            text = self._story()[agreed]
            try:
                self.session.act({"do": "play", "action": text}, self.time)
            except Refused as error:
                self.tally.troubles.append(f"{self.time:.1f} s: {text} could not be entered: {error}")
                break
        self.lag = 0.0


def _kinds(actions: Sequence[str]) -> set[str]:
    """The first words of actions."""
    return {text.split()[0] for text in actions}
