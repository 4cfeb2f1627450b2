"""What the page needs of a running table: a moment to show, and deeds to do.

Whoever runs the table implements `RunningTable`; it is called from many threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, BinaryIO, Protocol

from engine.actions import Action
from engine.core import Verdict
from engine.pieces import Tile
from engine.state import State
from referee.setting import Setting
from vision.observation import Quality

HOST = "host"
"""Who entered something without a seat of their own."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal as players read it.

    number: its place, from 0. who: `camera`, `host` or a player's name. pictures: names of its evidence, before,
    after and close up. action: None for a rule that was broken, which is told but did not count. confidence: how sure
    the camera was, None by hand. undone: taken back since, but still told. scores: of every seat, after it.
    """

    number: int
    words: str
    action: Action | None
    seat: int | None = None
    who: str = HOST
    time: float = 0.0
    pictures: tuple[str, ...] = ()
    confidence: float | None = None
    undone: bool = False
    rule: str = ""
    scores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A game to be looked back on: what stands of it, everything in it an action."""

    name: str
    setting: Setting
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """A game in a list. began: when its first entry was made. winners: the seats that won; None where it did not end."""

    name: str
    setting: Setting
    began: float
    scores: tuple[int, ...]
    winners: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Offered:
    """A game of before that can go on, since the one after it was spoilt or never begun. why: what had to be set aside, in a
    sentence, or nothing. last: when it was played last."""

    setting: Setting
    last: float
    scores: tuple[int, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """An illegal play that lies on the table. words: what was done. action: where the engine has a word for it. before: the
    table as it was then, where plays came before it that are not sure yet; None where it is that of the moment."""

    words: str
    verdict: Verdict
    action: Action | None = None
    seat: int | None = None
    pictures: tuple[str, ...] = ()
    before: State | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question, in plain words. done: all that would have been done then, as texts."""

    name: str
    words: str
    action: Action | None = None
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee cannot see. choices: likeliest first."""

    name: str
    sentence: str
    choices: tuple[Choice, ...]
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to put right, and whether the camera has seen it done."""

    words: str
    done: bool = False


@dataclass(frozen=True, eq=False)
class Moment:
    """The table now. It is a value: the state in it is never pushed to.

    version: another one with every change but those of `quality`. word: the state word. sentence: what the referee says
    beside it, perhaps nothing. provisional: a play that is seen and not yet certain. undo: what undoing would take back.
    """

    version: int
    setting: Setting
    state: State
    word: str
    sentence: str = ""
    entries: tuple[Entry, ...] = ()
    provisional: Action | None = None
    fault: Fault | None = None
    question: Question | None = None
    repair: tuple[Step, ...] = ()
    undo: str = ""


@dataclass(frozen=True, slots=True)
class Do:
    """Enter an action by hand, of chance too. seat: who calls points by it, before others do."""

    action: Action
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last entry, with what followed of itself."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the action of an entry, or strike it out (None); everything after it is worked out again."""

    number: int
    action: Action | None


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer a question."""

    question: str
    choice: str


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the table as it lies: the fault or the repair list is dropped."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin a game with these seats and rules, or, not anew, let the running one go on with other names and sides.

    What was played before stays in a journal of its own.
    """

    setting: Setting
    anew: bool = True


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with the game that is offered, since the journal of the one after it was spoilt."""


@dataclass(frozen=True, slots=True)
class Tell:
    """A seat tells which tiles it holds; nobody else is shown them."""

    seat: int
    tiles: tuple[Tile, ...]


Deed = Do | Undo | Edit | Reply | Accept | Begin | Resume | Tell


class Stale(ValueError):
    """The deed answers a version that is gone: what it meant may no longer be what is shown."""


class Refused(ValueError):
    """The deed cannot be done; the text says why, to a player."""


@dataclass(frozen=True, slots=True)
class View:
    """What a camera shows at the moment. jpeg: the newest picture, None before the first."""

    jpeg: bytes | None
    age: float
    name: str
    word: str = "ready"
    quality: Quality = field(default_factory=Quality)


class RunningTable(Protocol):
    """A game that is going on."""

    @property
    def records(self) -> bool:
        """Whether everything that comes to this table is recorded."""
        ...

    @property
    def offered(self) -> Offered | None:
        """The earlier game that can go on, where one is offered."""
        ...

    def recording(self, file: BinaryIO) -> None:
        """Write the recording of the game so far (a .kibitz); Refused where there is none."""
        ...

    def moment(self) -> Moment:
        """The table now."""
        ...

    def wait(self, version: int, seconds: float) -> None:
        """Return when the version is another one, or after so many seconds."""
        ...

    def is_current(self, version: int) -> bool:
        """Whether that version shows all entries there are, so that it can be answered."""
        ...

    def done(self, token: str) -> int | None:
        """What `do` answered when it did the deed of that token, before a restart or after; None where none was done."""
        ...

    def do(self, version: int, who: str, deed: Deed, token: str | None = None) -> int:
        """Do it, and return when it is on disk: the version that shows it.

        Raises Stale, Refused, or IllegalError with the verdict.
        """
        ...

    def hand(self, seat: int) -> tuple[Tile, ...]:
        """The tiles that a seat has told it holds, less those played since."""
        ...

    def before(self, number: int) -> State:
        """The state in which the entry of that number was made; Refused where there is none."""
        ...

    def told(self, game: str, seat: int, number: int) -> tuple[Tile, ...]:
        """What a seat had told of its hand before the entry of that number, in the game of that name; for that seat alone."""
        ...

    def misread(self, picture: str, wrong: bool = True) -> None:
        """Keep in mind that what this picture proves was read wrongly, or was not; Refused where there is no such picture."""
        ...

    @property
    def misreadings(self) -> frozenset[str]:
        """The pictures of which somebody said that they were read wrongly."""
        ...

    def past(self) -> tuple[Past, ...]:
        """The games that were played here before in which something was done, the newest first."""
        ...

    def played(self, name: str) -> Played | None:
        """The game of before of that name."""
        ...

    def evidence(self, name: str) -> bytes | None:
        """The picture (JPEG) of that name."""
        ...

    def account(self) -> dict[str, Any]:
        """What was weighed of the table and of the game, as JSON values; see `referee.account`."""
        ...

    def account_picture(self) -> bytes | None:
        """The picture (JPEG) that it tells of, None where there is none yet."""
        ...

    def view(self) -> View | None:
        """What the camera sees; None where no camera was ever chosen."""
        ...
