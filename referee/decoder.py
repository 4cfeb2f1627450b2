"""Which actions explain the table? Short sequences are tried, weighed by what is seen, and the best one judged.

A sequence may begin some plies back, so a tile taken back by hand, one exchanged for another, and a play that was read
wrong before are all found by the same search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import exp, inf
from typing import NamedTuple

from engine.actions import Action
from engine.core import Verdict
from engine.solo import elimination
from engine.state import State
from engine.words import capital, say
from referee.reading import (
    CLEAR,
    ILLEGAL,
    Breach,
    Difference,
    Expected,
    Reader,
    Reading,
    clear,
    differences,
    in_words,
    left_over,
    total,
)
from referee.whose import against as against_hands
from referee.whose import against_any, against_laying
from vision.degrees import EVEN, HARDLY, NEVER, SELDOM, nats_against

WRONG_PLAY, FALSE_ALARM, REMINDER = 50.0, 20 / 3, 4.0
"""What mistakes cost, in questions that were not needed: a wrong play believed in silence; an illegal play told that was none,
which changes nothing, and every hard reading leaves it some doubt; and a word that a turn is not finished, though it is.
"""


def enough(loss: float) -> float:
    """The share of all explanations from which to act costs less than to ask, by what it costs to be wrong."""
    return 1 - 1 / loss


SURE = enough(WRONG_PLAY)
"""From this share on a play is believed without asking."""

UNDONE = nats_against(SELDOM)
"""Nats against each play that would have to be taken back."""

HOPELESS = nats_against(HARDLY)
"""Explanations that are so many nats worse than the best are not followed: they could not bring its share below `SURE`."""

AT_ONCE = ("refill", "shuffle")
"""What chance does before the hands leave the table: nothing is weighed without it."""

TRACELESS = ("deal", "skip", "end", "stop", "give")
"""What is told only by what is done after it."""

STILL_TO_COME = ("roll",)
"""What chance does after the hands of a turn: until then they may do more, which breaks a rule."""

DEPTH = 12
"""So many actions, each with what is then certain, are looked for at most."""

TOLD = 6
"""So many explanations are told, and offered as answers."""


class Kind(StrEnum):
    """What a decision says."""

    NOTHING = "nothing"
    PLAY = "play"
    UNDO = "undo"
    ILLEGAL = "illegal"
    UNFINISHED = "unfinished"
    ASK = "ask"
    OUT_OF_SYNC = "out-of-sync"


LedTo = tuple[Hashable, frozenset[object]]
"""A position, and who laid which tile on the way there."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """One way to explain a reading: take back so many actions, then do these; perhaps an illegal one at last.

    cost: nats against it in all. misfit: differences that it leaves. words: one sentence for each thing done.
    after: the position that it leads to (`State.position`), and who laid which tile; None where a rule is broken.
    """

    undone: int = 0
    actions: tuple[Action, ...] = ()
    cost: float = 0.0
    misfit: tuple[Difference, ...] = ()
    words: tuple[str, ...] = ()
    breach: Breach | None = None
    share: float = 0.0
    after: LedTo | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What two explanations have in common that mean the same."""
        broken = (self.breach.verdict.rule, self.breach.words) if self.breach else None
        return self.undone, self.actions, broken

    @property
    def said(self) -> list[str]:
        """What it says was done, in sentences."""
        if not self.words:
            return [say("Take back {undone}.", undone=self.undone) if self.undone else say("Nothing was played.")]
        back = [say("Instead of the last play:")] if self.undone else []
        against = [say("Against the rules: {sentence}", sentence=self.breach.verdict.sentence)] if self.breach else []
        return [*back, *self.words, *against]


NOTHING_DONE = Explanation()


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What is to be done about a reading.

    answers: for a question, the explanations to choose from, likeliest first. steps: for a table that nothing explains,
    what to put right, in plain words, with the place where it lies. tried: the likeliest explanations, whatever was decided.
    """

    kind: Kind
    best: Explanation
    answers: tuple[Explanation, ...] = ()
    steps: tuple[str, ...] = ()
    tried: tuple[Explanation, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for decisions that agree."""
        if self.kind in (Kind.OUT_OF_SYNC, Kind.UNFINISHED):
            return self.kind, self.steps
        return self.kind, self.best.key

    @property
    def agreement(self) -> tuple[object, ...]:
        """Equal for decisions that see the same, be they sure of it or not; which tile broke a rule may be read better later."""
        broken = self.verdict
        return self.key if self.steps else (self.best.undone, self.best.actions, None if broken is None else broken.rule)

    @property
    def verdict(self) -> Verdict | None:
        """The rule that is broken, where one is."""
        return self.best.breach.verdict if self.best.breach else None


@dataclass(slots=True, eq=False)
class Search:
    """The explanations found so far. `left`: how many more states may be looked at."""

    reader: Reader
    reading: Reading
    left: int = 150
    least: float = inf
    found: list[Explanation] = field(default_factory=list)

    def walk(self, state: State, depth: int, done: Explanation, sure: float, but: Action | None = None,
             acted: frozenset[int] = frozenset()) -> None:
        """Weigh the state as it is, then everything that may have come next.

        done: what led to this state, with the nats against that alone, and the position before what was then certain. sure: what
        will speak against all of that for certain. but: the first action that was taken back, which nobody then does again: less
        would have to be taken back. acted: whose hands have done all that.
        """
        self.left -= 1
        actions = done.actions
        over = (state.chance == "deal" or state.outcome() is not None) and bool(actions)
        if done.undone and actions and (over or state.chance == "show"):
            done = replace(done, cost=done.cost + UNDONE)  # a round's end that nobody saw excuses nearly all that lies there
        if over and state.chance:  # a round has just ended: its line and its hands lie there until they are swept away
            state = state.copy()
            state.chance = "show"
        if state.chance not in AT_ONCE or not (actions or done.undone):
            hands = self._hands(acted, done.undone, state.players)
            self._weigh(self.reader.expected(state, self.reading), replace(done, cost=done.cost + hands))
        if (over and actions[-1].kind != "deal") or depth == 0 or self.left <= 0:
            return
        for proposal in sorted(self.reader.proposals(state, self.reading), key=lambda each: each.cost + each.leaves):
            bound, hand = sure + proposal.cost + proposal.leaves, with_hand(acted, proposal.hand)
            hands = against_any(hand, self.reading.reached, state.players)
            if bound + hands > self.least + HOPELESS or proposal.action == but:
                continue
            by_another = against_laying(proposal.hand, proposal.at, acted, self.reading.reached.tips)
            more, said = [proposal.action], [self.reader.words(state, proposal.action)]
            laid = {(state.turn, tile) for tile in [getattr(proposal.action, "tile", None)] if tile is not None}
            state.push(proposal.action)
            led_to = state.position(), (done.after[1] if done.after else frozenset()) | laid
            while (forced := forced_action(state)) is not None:
                said.append(self.reader.words(state, forced))
                more.append(forced)
                state.push(forced)
            then = replace(done, actions=(*actions, *more), words=(*done.words, *said),
                           cost=done.cost + proposal.cost + by_another, after=led_to)
            self.walk(state, depth - 1, then, bound + by_another, but, hand)
            for _ in more:
                state.pop()
        self._break_rules(state, done, sure, acted)

    def _break_rules(self, state: State, done: Explanation, sure: float, acted: frozenset[int]) -> None:
        """Weigh the illegal plays that may have come next, unless something legal explains the table as well."""
        against = 2 * ILLEGAL if done.undone else ILLEGAL  # taken back and then done wrong: rarer still
        waits = state.chance and state.chance not in STILL_TO_COME
        if waits or state.turn is None or sure + against > self.least + HOPELESS:
            return
        for breach in self.reader.breaches(state, self.reading):
            # had another seat's hand done it, that would be out of turn besides: one rule more
            hands = min(self._hands(with_hand(acted, breach.hand), done.undone, state.players), ILLEGAL)
            hands += against_laying(breach.hand, breach.center, acted, self.reading.reached.tips)
            cost = done.cost + against + breach.cost + hands
            self._weigh(breach.supposed, replace(done, words=(*done.words, breach.words), cost=cost, breach=breach, after=None))

    def _hands(self, acted: frozenset[int], undone: int, players: int) -> float:
        """Nats against just these hands having come; what was taken back, anybody may have."""
        return (against_any if undone else against_hands)(acted, self.reading.reached, players)

    def _weigh(self, expected: Expected, done: Explanation) -> None:
        """Keep what may have been done, with what it leaves unexplained where the table should then look so."""
        misfit = tuple(differences(expected, self.reading))
        cost = done.cost + total(misfit)
        self.least = min(self.least, cost)
        self.found.append(replace(done, cost=cost, misfit=misfit))


def with_hand(acted: frozenset[int], hand: int | None) -> frozenset[int]:
    """The seats that have acted, with one more."""
    return acted if hand is None else acted | {hand}


class Earlier(NamedTuple):
    """A state the table was in, and the action that then came."""

    state: State
    action: Action | None = None


def forced_action(state: State) -> Action | None:
    """The action that is certain and leaves no trace: a pass where nothing that is left fits and there is nothing to draw,
    the end of a turn whose drawn tile fits nowhere, and the touching of a tile that stays."""
    if state.turn is None or state.chance:
        return None
    legal = state.legal()
    if len(legal) != 1:
        return None
    stays = isinstance(state, elimination.State) and not state.leaves
    return legal[0] if legal[0].kind in ("pass", "end") or stays else None


def explanations(reader: Reader, earlier: Sequence[Earlier], reading: Reading, shown: Sequence[Explanation],
                 ) -> list[Explanation]:
    """Every explanation tried, likeliest first, each with its share.

    shown: what a still table has shown since, or may have, before hands came again; as long as that can be so, they went
    on from there.
    """
    search = Search(reader, replace(reading, reached=reading.lately))
    if shown and _goes_on(search, earlier[0].state, shown):
        return _weighed(search.found)
    search = Search(reader, reading)
    back = 0.0
    for undone, (state, action) in enumerate(earlier):
        if action is not None:
            if action == forced_action(state):
                continue  # a pass that had to come is taken back with the play before it
            back += UNDONE
        if back > search.least + HOPELESS:
            break
        search.walk(state, DEPTH, replace(NOTHING_DONE, undone=undone, cost=back), back, action)
        if undone == 0 and any(not each.misfit and each.breach is None for each in search.found):
            break  # the table is exactly explained by going on: no need to look back
    return _weighed(search.found)


def _goes_on(search: Search, state: State, shown: Sequence[Explanation]) -> bool:
    """Search on from what a still table has shown; whether that explains the table now."""
    search.walk(state, 0, NOTHING_DONE, 0.0)
    costs = [each.cost - total(each.misfit) for each in shown]
    for each, cost in zip(shown, costs, strict=True):
        more = cost - min(costs)
        search.walk(state.after(*each.actions), DEPTH, replace(each, cost=more), more)
    return any(each.actions and total(each.misfit) <= CLEAR for each in search.found)


def _weighed(found: list[Explanation]) -> list[Explanation]:
    """Each explanation once, with its share, likeliest first."""
    ordered = sorted(found, key=lambda each: (each.cost, len(each.actions)))
    least = ordered[0].cost
    merged: dict[tuple[object, ...], Explanation] = {}
    for each in ordered:
        if not _comes_to_the_same(each, merged.values()):
            merged.setdefault(each.key, each)
    weights = {key: exp(least - each.cost) for key, each in merged.items()}
    all_weights = sum(weights.values())
    return [replace(each, share=weights[key] / all_weights) for key, each in merged.items()]


def _comes_to_the_same(each: Explanation, likelier: Iterable[Explanation]) -> bool:
    """Whether the same came about in a likelier or shorter way, with no more taken back: it does not matter in which. Nor is
    more taken back than the table tells: a pass before that, say."""
    if not each.actions and each.breach is None:
        return any(other.undone < each.undone and not other.words and other.misfit == each.misfit for other in likelier)
    return each.after is not None and any(
        other.undone <= each.undone and other.actions and other.after == each.after for other in likelier)


def decide(reader: Reader, earlier: Sequence[Earlier], reading: Reading, shown: Sequence[Explanation] = ()) -> Decision:
    """The decision about a settled table. earlier: as `history` gives it; shown: what a still table may have shown since."""
    tried = explanations(reader, earlier, reading, shown)
    told = tuple(each for each in tried[:TOLD] if each.share > NEVER)
    return replace(_decided(reader, earlier, tried, told), tried=told)


def _decided(reader: Reader, earlier: Sequence[Earlier], tried: Sequence[Explanation], told: tuple[Explanation, ...],
             ) -> Decision:
    """The decision by the explanations; told: those that are worth telling."""
    standing = next(each for each in tried if each.undone == 0 and not each.actions and each.breach is None)
    best = _broken_instead(tried, standing) or tried[0]
    if not _explained(best, standing):
        return Decision(Kind.OUT_OF_SYNC, best, steps=_put_right(reader, earlier[0].state, standing, best))
    if best is standing:
        kind = Kind.NOTHING if sum(each.share for each in tried if _is_unseen(each)) >= EVEN else Kind.ASK
    elif best.breach is not None:
        kind = Kind.UNFINISHED if best.breach.pending else Kind.ILLEGAL
    elif best.undone and not best.actions:
        kind = Kind.UNDO
    else:
        kind = Kind.PLAY
    if kind in (Kind.PLAY, Kind.ILLEGAL, Kind.UNFINISHED) and (first := _beginning(earlier[0].state, best, tried)):
        return Decision(Kind.PLAY, first)
    loss = WRONG_PLAY if best.breach is None else REMINDER if best.breach.pending else FALSE_ALARM
    if _alike(best, tried) < enough(loss) and kind is not Kind.NOTHING and len(told) > 1:
        return Decision(Kind.ASK, best, _told_apart(told))
    return Decision(kind, best, steps=best.breach.steps if best.breach else ())


def _told_apart(answers: tuple[Explanation, ...]) -> tuple[Explanation, ...]:
    """The answers, where several would be told alike each with what it leaves unexplained: how a tile lies in a deal, say."""
    alike = Counter(tuple(each.said) for each in answers)
    return tuple(each if alike[tuple(each.said)] == 1 else replace(each, words=(
        *each.words, *(f"{capital(in_words(left))}." for left in each.misfit))) for each in answers)


def _beginning(state: State, best: Explanation, tried: Sequence[Explanation]) -> Explanation | None:
    """The most that was done for sure: nearly all explanations begin with it, whatever followed or broke a rule then.

    A deal alone is nothing: who begins is told by what she does; nor is what was let go, before a tile that may be taken back.
    """
    begun: Explanation | None = None
    for each in tried:
        count = len(each.actions)
        begins = each.breach is None and not each.undone and each.actions == best.actions[:count]
        if begins and each.actions and not _is_denied(each, best.breach) and not _is_left_open(state, each.actions):
            share = sum(other.share for other in tried if not other.undone and other.actions[:count] == each.actions)
            if share >= SURE and (begun is None or count > len(begun.actions)):
                begun = replace(each, share=share)
    return begun


def _is_unseen(each: Explanation) -> bool:
    """Whether nothing was done, or only what no look shows: it is told by what comes after it."""
    return each.breach is None and not each.undone and all(action.kind in (*TRACELESS, "pass") for action in each.actions)


def _is_left_open(state: State, actions: Sequence[Action]) -> bool:
    """Whether the last of these leaves no trace, and something else may come instead."""
    return actions[-1].kind in TRACELESS and forced_action(state.after(*actions[:-1])) != actions[-1]


def _is_denied(begun: Explanation, breach: Breach | None) -> bool:
    """Whether the table shows otherwise what was done, and what came after it is only supposed to have changed that somehow:
    whoever plays out of turn may have drawn before, and then nothing tells any more what the player before her drew."""
    if breach is None:
        return False
    after = breach.supposed.tiles
    return clear(each for each in begun.misfit if each.kind in ("missing", "wrong")
                 and (each.place not in after or after[each.place].ends is None)) > CLEAR


def done_since(answer: Explanation, now: Decision | None) -> Explanation | None:
    """What surely was done after what a person says was done, by how the table looks now; None for nothing, or nothing sure.

    A question may stand while others go on.
    """
    count = len(answer.actions)
    begun = [each for each in (now.answers or (now.best,) if now is not None else ())
             if each.undone == answer.undone and each.actions[:count] == answer.actions]
    best = max(begun, key=lambda each: each.share, default=answer)
    if best.breach is not None or len(best.actions) == count or best.share < SURE * sum(each.share for each in begun):
        return None
    return replace(best, undone=0, actions=best.actions[count:], words=best.words[count:])


def _alike(best: Explanation, tried: Sequence[Explanation]) -> float:
    """The share of the best explanation; where tiles were taken back, of all that say so, be there more to take back that left
    no trace. Where a rule is broken, of all that break one, since they raise one alarm, which the likeliest explains; and only
    among those that leave no clear misfit: a legal play that the table denies is no excuse."""
    if best.breach is None:
        back = bool(best.undone) and not best.actions
        return sum(each.share for each in tried if each.undone and not each.actions and not each.breach) if back else best.share
    able = [each for each in tried if clear(each.misfit) <= max(CLEAR, clear(best.misfit))]
    alike = sum(each.share for each in able if each.breach is not None and each.breach.pending == best.breach.pending)
    return alike / sum(each.share for each in able)


def _broken_instead(tried: Sequence[Explanation], standing: Explanation) -> Explanation | None:
    """The broken rule that explains the table, where the likeliest legal play is hardly likelier and the table denies it: it
    showed an 8, say, of a set that has none, and a 6 that was read so ill is likelier than a tile of another set."""
    if _explained(tried[0], standing):
        return None
    near = (each for each in tried if each.share >= tried[0].share * exp(-HOPELESS))
    broken = (each for each in near if each.breach is not None and not each.breach.pending)
    return next((each for each in broken if _explained(each, standing)), None)


def _explained(best: Explanation, standing: Explanation) -> bool:
    """Whether nothing that is seen clearly is left over."""
    rest = left_over(best.misfit, standing.misfit)
    unseen = sum(each.cost > CLEAR for each in best.misfit) - sum(each.cost > CLEAR for each in rest)
    goes_on = bool(best.actions) and not best.undone
    if goes_on:  # where a tile was laid the joint beside it may look like one
        rest = [each for each in rest if each.kind != "joint"]
    left = clear(rest) if goes_on or best.breach else total(rest)
    return left <= CLEAR and unseen <= (1 if best.actions or best.breach else 0)


def _put_right(reader: Reader, state: State, standing: Explanation, best: Explanation) -> tuple[str, ...]:
    """What people do to go on: put back all that was done, or what the likeliest leaves unexplained where that is less to do."""
    def steps(each: Explanation) -> tuple[str, ...]:
        then = state.after(*each.actions)
        clear = sorted((left for left in each.misfit if left.cost > CLEAR / 2), key=lambda left: -left.cost)
        return tuple(dict.fromkeys(reader.step(left, then) for left in clear))

    return min(filter(None, map(steps, (standing,) if best.undone else (standing, best))), key=len, default=())


def history(state: State, plies: int) -> list[Earlier]:
    """The state, then copies of it with one, two, ... of its last actions taken back, as far as this round goes."""
    found = [Earlier(state)]
    back = state.branch()
    for _ in range(plies):
        last = back.last_pushed
        if last is None or last.kind in ("deal", "show"):
            break
        back.pop()
        found.append(Earlier(back.copy(), last))
    return found
