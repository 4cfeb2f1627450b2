"""Whole games on the simulated table, through the whole pipeline: what was decoded right, asked, or silently wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.mats import MARKET, MATS
from calibration.measure import calibrate, place_of
from calibration.profile import Profile
from calibration.tags import find_tags
from engine.games import game as game_named
from engine.state import State
from referee.decoder import Kind
from referee.journal import Journal
from referee.setting import COLOURS, Seat, Setting
from referee.table import Refused, Table
from vision.frame import Frame
from vision.reader import Reader
from vision.synthetic.staging.games import set_table, stage_of
from vision.synthetic.staging.overhead import whole_view
from vision.synthetic.staging.players import Mischief, Players
from vision.synthetic.staging.setting import SEATS
from vision.synthetic.tabletop.camera import Camera
from vision.synthetic.tabletop.happenings import Bump, Happening, Lighting, Move, Still, Together
from vision.synthetic.tabletop.look import TESTING_SEEDS
from vision.synthetic.tabletop.render import Light
from vision.synthetic.tabletop.simulated import Moment, SimulatedTable
from vision.table.watcher import TableWatcher

NAMES = ("Ann", "Ben", "Cem", "Dee")


LIKELY = Mischief(nudge=0.08, rest=0.05)
"""What goes wrong in every game of a trial; a bump and a change of the light come once in each besides."""

PATIENCE = 6.0
"""For how many seconds players wait, and then put right by hand what the referee has not understood."""


LONGEST = 15.0
"""Nobody waits longer for the referee, seconds."""

HURRY = 0.15
"""The share of turns in which nobody looks whether the referee has understood the one before."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a trial is. wrong: share of turns in which an illegal play is tried first. bumps, lamps: in each game."""

    wrong: float = 0.0
    take_back: float = 0.02
    bumps: int = 1
    lamps: int = 1
    tidy: float = 1.0


@dataclass
class Tally:
    """What came of one game or of several. decision_ms: computing time from stillness to each decision."""

    games: int = 0
    plays: int = 0
    right: int = 0
    asked: int = 0
    silent_wrong: int = 0
    illegal_planted: int = 0
    illegal_reported: int = 0
    illegal_rule_right: int = 0
    false_alarms: int = 0
    scores_right: int = 0
    decision_ms: list[float] = field(default_factory=list)
    rules: dict[str, list[int]] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take another tally into this one."""
        for name in ("games", "plays", "right", "asked", "silent_wrong", "illegal_planted", "illegal_reported",
                     "illegal_rule_right", "false_alarms", "scores_right"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.decision_ms += other.decision_ms
        self.troubles += other.troubles
        for rule, counts in other.rules.items():
            self.rules[rule] = [a + b for a, b in zip(self.rules.get(rule, [0, 0, 0]), counts, strict=True)]

    @property
    def decision_ms_p95(self) -> float:
        """95th percentile of the computing time, milliseconds."""
        return float(np.percentile(self.decision_ms, 95)) if self.decision_ms else 0.0


def calibrated(image: NDArray[np.uint8], camera: Camera, game: str, players: int) -> tuple[Profile, Setting]:
    """The view measured from its tags, and the players registered where they sit in it."""
    profile = calibrate(image, MATS)
    ends = profile.to_table(camera.project(np.array([[0.0, 0, 0], [100, 0, 0]])))
    turn = float(np.arctan2(*(ends[1] - ends[0])[::-1]))
    seats = tuple(Seat(NAMES[at], angle + np.pi + turn, COLOURS[at]) for at, angle in enumerate(SEATS[players]))
    slots = {}
    place = place_of(MARKET, find_tags(image), profile)
    if place is not None:
        x, y, angle = place
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        for name, slot in MARKET.slots.items():
            u, v = rotation @ np.array(slot.center) + (x, y)
            slots[name] = (float(u), float(v))
    return profile, Setting(game, game_named(game).Rules(), seats, profile.area, slots)


class Trial:
    """One game before the simulated camera, with a referee that sees nothing else."""

    def __init__(self, game: str, players: int, seed: int, reader: Reader, journal: Path,
                 difficulty: Difficulty = Difficulty()) -> None:
        look_seed = TESTING_SEEDS[seed % len(TESTING_SEEDS)]
        rng = np.random.default_rng([seed, 77])
        self.setting = set_table(game, players, look_seed, tidy=difficulty.tidy)
        self.state: State = game_named(game)(game_named(game).Rules(), players)
        mischief = Mischief(difficulty.wrong, difficulty.take_back, LIKELY.nudge, 0.0, LIKELY.rest)
        self.players = Players(self.state, stage_of(game, self.setting), seed, mischief)
        self.camera = whole_view(self.setting, rng)
        self.chance_kinds = game_named(game).CHANCE
        self.game, self.difficulty, self.rng = game, difficulty, rng
        self.referee = Table(Journal(journal))
        self.reader = reader
        self.watcher: TableWatcher | None = None
        self.told: list[str] = []
        self.wrong: Move | None = None
        self.tally = Tally(games=1)
        self.understood = 0
        self.time = self.lag_since = 0.0
        self.work: list[float] = []
        self.alarmed: object = None

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
        return dealing or self.done() != self.told

    def register(self, happening: Happening) -> None:
        """Note what the players have just done."""
        if self.done() == self.told:
            self.lag_since = self.time
        moves = happening.moves if isinstance(happening, Together) else (happening,) if isinstance(happening, Move) else ()
        for move in moves:
            if move.note == "wrong":
                self.wrong = move
                self.tally.illegal_planted += 1
                self.tally.rules.setdefault(move.rule, [0, 0, 0])[0] += 1
                self.alarmed = None
            elif move.note == "take-back":
                if self.wrong is None and self.told:
                    self.told.pop()
                    self.tally.plays -= 1
                self.wrong = None
            elif move.actions and move.state is not None:
                self.told += [str(move.state.public(action)) for action in move.actions]
                self.tally.plays += len(move.actions)

    # The referee's side.

    def run(self, show: Callable[[Moment, Trial], None] | None = None) -> Tally:
        """Play the game out."""
        table = SimulatedTable(self.setting, self.camera, self.players.table, self.happenings(), seed=len(self.told), last=6.0)
        before: Happening | None = None
        for moment in table.moments():
            if moment.happening is not before:
                if before is not None:
                    self.register(before)
                before = moment.happening
            self.look(moment)
            if show is not None:
                show(moment, self)
            if moment.doing == "still":
                self.judge()
        self.tally.scores_right = int(self.referee.state.scores() == self.state.scores())
        return self.tally

    def look(self, moment: Moment) -> None:
        """One frame through the pipeline."""
        frame: Frame = moment.frame
        self.time = frame.time
        if self.watcher is None:
            profile, setting = calibrated(frame.image, self.camera, self.game, self.setting.players)
            self.watcher = TableWatcher(self.reader, profile)
            self.referee.set_up(setting, frame.time)
        start = time.perf_counter()
        seen = self.watcher.see(frame)
        self.referee.observe(seen, frame.image)
        spent = 1000 * (time.perf_counter() - start)
        if moment.doing != "still":
            self.work = []
        elif self.work is not None:
            self.work.append(spent)
            decision = self.referee.policy.decision
            if decision is not None and decision.kind is not Kind.NOTHING:
                self.tally.decision_ms.append(sum(self.work))
                self.work = []

    def done(self) -> list[str]:
        """What the referee believes was done, without what chance brought."""
        if self.referee.game.setting is None:
            return []
        return [str(action) for action in self.referee.game.record().actions if not isinstance(action, self.chance_kinds)]

    def judge(self) -> None:
        """Compare what the referee believes with what was done; answer its questions, and help it where it is stuck."""
        done, told = self.done(), self.told
        alarm = self.referee.alarm
        if alarm is not None and alarm.kind is Kind.ILLEGAL and alarm.key != self.alarmed:
            self.alarmed = alarm.key
            self._alarm(alarm.verdict.rule if alarm.verdict else "")
        if done == told:
            self.tally.right += max(0, len(told) - self.understood)
            self.understood, self.lag_since = len(told), self.time
            return
        if done != told[: len(done)] and done[:-1] != told:
            self.tally.silent_wrong += 1
            self.tally.troubles.append(f"{self.time:.1f} s: believes {done[-2:]}, done was {told[-2:]}")
            self._put_right()
        elif self.referee.question is not None and self._answer():
            self.tally.asked += 1
            self.understood = len(told)
        elif self.time - self.lag_since > PATIENCE and self.wrong is None:
            self.tally.asked += len(told) - len(done) if len(told) > len(done) else 1
            trouble = f"{self.time:.1f} s: stuck, {self.referee.word}: {self._complaint()}; done was {told[-2:]}"
            self.tally.troubles.append(trouble)
            self._put_right()

    def _alarm(self, rule: str) -> None:
        if self.wrong is None:
            self.tally.false_alarms += 1
            self.tally.troubles.append(f"{self.time:.1f} s: false alarm {rule}")
            return
        self.tally.illegal_reported += 1
        self.tally.illegal_rule_right += rule == self.wrong.rule
        counts = self.tally.rules[self.wrong.rule]
        counts[1] += 1
        counts[2] += rule == self.wrong.rule

    def _complaint(self) -> str:
        table = self.referee
        if table.repair is not None:
            return "; ".join(table.repair.steps)
        if table.question is not None:
            return " / ".join(" ".join(answer.words) for answer in table.question.answers)
        if table.alarm is not None and table.alarm.verdict is not None:
            return table.alarm.verdict.sentence
        return "; ".join(table.lacking)

    def _answer(self) -> bool:
        """Tap the right answer, if it is there."""
        question = self.referee.question
        assert question is not None
        pushed = list(self.referee.game.record().actions)
        for at, answer in enumerate(question.answers):
            made = [*pushed[: len(pushed) - answer.undone], *answer.actions]
            if answer.breach is None and [str(each) for each in made if not isinstance(each, self.chance_kinds)] == self.told:
                self.referee.act({"do": "answer", "question": question.id, "choice": at}, self.time)
                return True
        return False

    def _put_right(self) -> None:
        """Enter by hand what was done."""
        told = self.told
        while (done := self.done()) != told[: len(done)]:
            self.referee.act({"do": "undo"}, self.time)
        for text in told[len(done):]:
            try:
                self.referee.act({"do": "play", "action": text}, self.time)
            except Refused as error:
                self.tally.troubles.append(f"{self.time:.1f} s: {text} could not be entered: {error}")
                break
        self.understood, self.lag_since = len(told), self.time
