"""Whole games on a make-believe table before a running referee."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from engine.actions import Action, Show
from engine.euronimoes.actions import Buy, Refill
from engine.euronimoes.actions import Play as GridPlay
from engine.games import game
from engine.lines.actions import Pass, Play
from engine.state import State
from referee.journal import Journal
from referee.setting import Setting, seated
from referee.table import Table
from tests.referee.staged import StagedLine, StagedMarket

NAMES = ("Ann", "Ben", "Cem", "Dee")
SLOTS = {name: (-84.0 + 42 * at, -40.0) for at, name in enumerate(("-1", "0", "1", "2", "3"))}




class Match:
    """One game: the full state that chance and the players know, the table, and the referee that only sees it."""

    def __init__(self, name: str, players: int, seed: int, where: Path, slop: float = 1.0, **flags: Any) -> None:
        kind = game(name)
        self.rng = Random(seed)
        slots = SLOTS if name == "euronimoes" else {}
        self.setting = Setting(name, kind.Rules(**flags), seated(NAMES[:players]), slots=slots)
        self.full: Any = kind(self.setting.rules, players)
        self.stage: Any = StagedMarket(self.setting, seed, slop) if name == "euronimoes" else StagedLine(self.setting, seed, slop)
        self.referee = Table(Journal(where))
        if self.referee.game.setting is None:
            self.referee.set_up(self.setting, 0.0)
        self.counts: Counter[str] = Counter()
        self.told: list[Action] = []

    @property
    def state(self) -> State:
        return self.referee.state

    def look(self, seconds: float = 1.6, reaching: int | None = None) -> None:
        """A hand, where one reaches in, then a still table for some seconds."""
        if reaching is not None:
            self.referee.observe(self.stage.reach(reaching))
        for _ in range(round(seconds / self.stage.step)):
            self.referee.observe(self.stage.seen())

    def deal(self) -> None:
        """Chance deals; the referee sees the set-up."""
        action = self.full.random_chance(self.rng)
        self.stage.do(self.full, action)
        self.full.push(action)
        self.told.append(self.full.public(action))
        self.look(1.0)

    def choose(self) -> Action:
        """A random action that stays on the table; on a lone double both sides are one."""
        legal: list[Any] = self.full.legal()
        if isinstance(legal[0], Play):
            lone = self.full.root is not None and self.full.root.is_double and not self.full.left_arm and not self.full.right_arm
            legal = [each for each in legal if not (lone and each.arm == "left")]
        if isinstance(legal[0], GridPlay):
            near = [each for each in legal if isinstance(each, GridPlay)
                    and all(abs(x) < 6 and -4 < y < 4 for x, y in each.cells)]
            raised = [each for each in near if each.level > 1]
            legal = raised if raised and self.rng.random() < 0.5 else near or legal
        chosen: Action = self.rng.choice(legal)
        return chosen

    def do(self, action: Action, look: bool = True) -> None:
        """The seat to move does this by hand, and all look at it."""
        seat = self.full.turn
        self.stage.do(self.full, action)
        self.full.push(action)
        self.told.append(action)
        if isinstance(action, Buy) and self.full.market[-1] is not None:
            self.told.append(Refill(self.full.market[-1]))
        if look and not isinstance(action, Pass):
            self.look(reaching=seat)
            self.settle()

    def settle(self) -> None:
        """Answer a question as the players know it."""
        question = self.referee.question
        if question is None:
            return
        self.counts["asked"] += 1
        done = [str(each) for each in self.referee.state.pushed]
        for at, answer in enumerate(question.answers):
            kept = done[: len(done) - answer.undone]
            if kept + [str(each) for each in answer.actions] == self.texts()[: len(kept) + len(answer.actions)] and (
                    len(kept) + len(answer.actions) >= len(self.texts()) - 1) and answer.breach is None:
                self.referee.act({"do": "answer", "question": question.id, "choice": at}, self.stage.time)
                self.look(0.5)
                return
        self.counts["no right answer"] += 1

    def settle_as(self, *texts: str) -> None:
        """Answer a question, where one is asked, with exactly these actions."""
        question = self.referee.question
        if question is None:
            return
        choice = next(at for at, answer in enumerate(question.answers) if tuple(map(str, answer.actions)) == texts)
        self.referee.act({"do": "answer", "question": question.id, "choice": choice}, self.stage.time)

    def texts(self) -> list[str]:
        """Everything that happened, as its texts."""
        return [str(action) for action in self.told]

    def reveal(self) -> None:
        """At a round's end the hands are shown; the referee reads them."""
        for seat, hand in enumerate(self.full.hands):
            if hand:
                self.stage.reveal(seat, [tuple(tile) for tile in hand])
                self.told.append(Show(seat, tuple(sorted(hand))))
        self.look(2.5)
        self.settle()

    def play_round(self) -> None:
        """From the deal to the scores of one round of a line game."""
        self.deal()
        while not self.full.chance and self.full.outcome() is None:
            self.do(self.choose())
        self.reveal()

    def play_out(self) -> None:
        """A whole game of Euronimoes."""
        self.deal()
        while self.full.outcome() is None:
            self.do(self.choose())
        self.look(2.5)

    @property
    def right(self) -> bool:
        """Whether the referee has the game as it was."""
        return [act.text for act in self.referee.game.standing] == self.texts() and self.state.scores() == self.full.scores()
