"""A server killed over and over while a hand enters plays: is everything done once that was sent, and answered as at first?

The page's way of playing by hand, `POST /live/do`, is used as a phone would use it: what gets no answer is sent again, word
for word, to the server that was started afterwards. A referee's table in this process is done the same deeds, without a
crash: the two journals must tell of the same game, and so must every answer.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from engine.actions import Action
from engine.games import game
from engine.state import State
from referee.journal import Entry, Journal, legible
from referee.setting import Setting, seated
from referee.shelf import JOURNAL
from referee.table import Table

GAME = "block"
PLAYERS = ("Ann", "Bob")
TABLE = "kills"

UNDONE, ILLEGAL, REPEATED = 0.2, 0.1, 0.1
"""Of the deeds so many take something back, break a rule, or were answered before."""

LONGEST_LIFE_S = 0.5
"""A server that answers is killed within so much."""

STARTED_S = 60.0
"""By then a server answers, or something is wrong with it."""

Answer = tuple[int, Any]


class NotServed(RuntimeError):
    """A server does not start or does not answer."""


@dataclass
class Kills:
    """What came of it. unanswered: deeds sent again; written: those of them that were on disk when the server was killed.

    lost, doubled: deeds that the journal lacks, or has twice. other: answers unlike the first, each in words.
    """

    kills: int = 0
    deeds: int = 0
    unanswered: int = 0
    written: int = 0
    lost: int = 0
    doubled: int = 0
    other: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether everything was as it should be."""
        return not (self.lost or self.doubled or self.other)


def soak_kills(kills: int, seed: int, home: Path, tell: Callable[[Kills], None] = lambda so_far: None) -> Kills:
    """Kill so many servers that keep their table in `home`; NotServed where one does not start."""
    rng, came = Random(seed), Kills()
    hand = _Hand(rng, came)
    journal = home / "tables" / TABLE / JOURNAL
    while came.kills < kills:
        with _server(home) as (process, port):
            hand.sent_again(port)
            hand.forget_refusals()
            killer = threading.Timer(rng.uniform(0.0, LONGEST_LIFE_S), process.send_signal, (signal.SIGKILL,))
            killer.start()
            while hand.does_something(port):
                pass
            killer.join()
        came.kills += 1
        tokens = [entry.token for entry in legible(journal)]
        came.written += hand.waiting is not None and hand.waiting["id"] in tokens
        tell(came)
    with _server(home) as (_, port):
        hand.sent_again(port)
    hand.compare(list(legible(journal)))
    return came


class _Hand:
    """Who plays by hand, and what should have come of it. waiting: a deed that got no answer."""

    def __init__(self, rng: Random, came: Kills) -> None:
        self._rng, self._came = rng, came
        self._table = Table(Journal("sqlite://"))
        self._table.set_up(Setting(GAME, game(GAME).Rules(), seated(PLAYERS)), 0.0)
        self._version: int | None = None
        self._answers: list[tuple[dict[str, Any], Answer]] = []
        self._should: tuple[int, str] | None = None  # the status and the rule that is broken
        self.waiting: dict[str, Any] | None = None

    def does_something(self, port: int) -> bool:
        """Send one deed; whether it was answered."""
        if self._answers and self._rng.random() < REPEATED:
            deed, first = self._rng.choice(self._answers)
            again = _post(port, deed)
            if again is not None and again != first:
                self._came.other.append(f"{deed} was answered {first}, and later {again}")
            return again is not None
        if self._version is None and (shown := _ask(port, "GET", "/live/table.json")) is not None:
            self._version = shown[1]["version"]
        if self._version is None:
            return False
        self._came.deeds += 1
        what, self._should = self._chosen()
        self.waiting = {"id": f"deed {self._came.deeds:06}", "version": self._version, **what}
        return self._answered(_post(port, self.waiting))

    def sent_again(self, port: int) -> None:
        """Send again what got no answer."""
        if self.waiting is not None:
            self._came.unanswered += 1
            if not self._answered(_post(port, self.waiting)):
                raise NotServed("the server does not answer")

    def forget_refusals(self) -> None:
        """A server that was started anew knows what was done. What was refused it judges by the table as it is then."""
        self._answers = [(deed, answer) for deed, answer in self._answers if answer[0] == 200]

    def compare(self, entries: Sequence[Entry]) -> None:
        """The server's journal beside the one without a crash."""
        def told(entry: Entry) -> Any:
            return entry.kind, entry.who, entry.token, entry.data

        tokens = [entry.token for entry in entries if entry.token]
        wanted = [entry.token for entry in self._table.journal.entries() if entry.token]
        self._came.lost += len(set(wanted) - set(tokens))
        self._came.doubled += len(entries) - len(self._table.journal.entries())
        if [*map(told, entries)] != [*map(told, self._table.journal.entries())]:
            self._came.other.append("the journal tells of another game than was played")

    def _chosen(self) -> tuple[dict[str, Any], tuple[int, str] | None]:
        """What to do next, and, where it breaks a rule, the answer that is due."""
        state, rng = self._table.state, self._rng
        if state.chance == "deal":
            return _entered(state.public(state.random_chance(rng))), None
        if state.chance or state.outcome() is not None or rng.random() < UNDONE:
            return {"do": "undo"}, None
        if rng.random() < ILLEGAL and (wrong := _illegal(state, rng)) is not None:
            verdict = state.verify(wrong)
            return _entered(wrong), (422, verdict.rule)  # in which words is the reader's business
        return _entered(rng.choice(state.legal())), None

    def _answered(self, answer: Answer | None) -> bool:
        """Take the answer to the deed that waits: where it was done it is done here, too."""
        if answer is None:
            return False
        deed, self.waiting = self.waiting, None
        assert deed is not None
        if self._should is not None:
            if (answer[0], answer[1].get("rule")) != self._should:
                self._came.other.append(f"{deed} was answered {answer}, not {self._should}")
        elif answer[0] != 200:
            self._came.other.append(f"{deed} was answered {answer}, not done")
        else:
            here = {"do": "undo"} if deed["do"] == "undo" else {"do": "play", "action": deed["action"]}
            self._table.act(here, 0.0, "host", deed["id"])
            self._version = answer[1]["version"]
        self._answers.append((deed, answer))
        return True


def _entered(action: Action) -> dict[str, Any]:
    return {"do": "action", "action": str(action)}


def _illegal(state: State, rng: Random) -> Action | None:
    """A play that the rules forbid now: one they allow, with another tile."""
    plays: list[Any] = [action for action in state.legal() if action.kind == "play"]
    wrong: list[Action] = [replace(play, tile=rng.choice(state.kit.tiles)) for play in plays]
    return next((action for action in wrong if not state.verify(action)), None)


@contextmanager
def _server(home: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`kibitz serve` in a process of its own, once it answers, with its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kibitz", "serve", "--host", "127.0.0.1", "--port", str(port), "--table", TABLE,
               "--game", GAME, "--players", ",".join(PLAYERS), "--threads", "1"]
    process = subprocess.Popen(command, env=os.environ | {"KIBITZ_HOME": str(home)}, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + STARTED_S
        while _ask(port, "GET", "/live/table.json") is None:
            if process.poll() is not None or time.monotonic() > until:
                raise NotServed("the server did not start")
            time.sleep(0.02)
        yield process, port
    finally:
        process.kill()
        process.wait()


def _post(port: int, deed: dict[str, Any]) -> Answer | None:
    return _ask(port, "POST", "/live/do", json.dumps(deed))


def _ask(port: int, method: str, path: str, body: str | None = None) -> Answer | None:
    """Status and JSON of an answer; None where none came."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
