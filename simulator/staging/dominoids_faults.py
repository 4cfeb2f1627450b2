"""What people do wrong at Dominoids: for each rule that a table can show to be broken, a table that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from engine.core import replaced
from engine.dominoids.actions import SUITS, Place, Rotate, Slide
from engine.dominoids.board import (
    NEAR,
    RAYS,
    SIDE,
    Dominoid,
    cell_of,
    children,
    lying,
    moves,
    shifted,
    slide_length,
    strip,
)
from engine.dominoids.game import State
from engine.dominoids.turns import objects_on, with_die
from simulator.staging.setting import Fault
from simulator.tabletop.lying import Tabletop

RULES = ("choose-first", "one-old-die", "leading-end", "slide-distance", "edge", "rotate", "die-face", "must-move", "shift-pawn",
         "bud", "only-after-sliding", "must-act", "eat", "attack", "child-number", "child-place", "replace", "replace-place")
"""The rules of the book that a camera can see broken."""

Lay = Callable[[State], Tabletop]


def fault(state: State, lay: Lay, rng: Random, rules: Sequence[str] = RULES) -> Fault | None:
    """One of these things that may go wrong now, each as likely; None where nothing can. lay: as states do."""
    before = _looked_before(state)  # what lies as it did then was taken back: nobody sees more in it
    for rule in rng.sample(rules, len(rules)):
        tried = [each for each in _tried(state, rule, rng) if _looks(each) != before]
        if tried:
            return Fault(rule, state.turn or 0, lay(rng.choice(tried)))
    return None


def _looks(state: State) -> tuple[Any, ...]:
    """How the table lies."""
    return frozenset(state.dominoids), state.coins, state.pawns, state.dice, state.new, state.picked


def _looked_before(state: State) -> tuple[Any, ...]:
    """How the table lay before it was last changed."""
    now, back = _looks(state), state.branch()
    while _looks(back) == now and back.last_pushed is not None:
        back.pop()
    return _looks(back)


def _tried(state: State, rule: str, rng: Random) -> Iterator[State]:
    """The tables that break a rule now."""
    phase, faces = state.phase, [state.dice[die] for die in state.chosen]
    if phase == "choose":
        if rule == "choose-first":
            yield from (_with(state, each, after) for each, after in _moves(state, 6))
        elif rule == "one-old-die":
            new = [suit for suit in range(4) if state.new[suit]]
            yield from (_after(state, picked=(one, other)) for one in new for other in new if one < other)
    elif phase == "act":
        yield from _tried_with_dice(state, rule, faces, rng)
    elif phase == "consequence":
        yield from _tried_after_slide(state, rule, rng)
    elif phase == "child" and rule in ("child-number", "child-place"):
        yield from _misplaced(state, rule)
    elif phase == "replace" and rule == "replace":
        yield _rolled(state, rng)
    elif phase == "replace" and rule == "replace-place":
        yield from _coins_astray(state, rng)


def _tried_with_dice(state: State, rule: str, faces: list[int], rng: Random) -> Iterator[State]:
    """While there are dice to be used, which show these faces."""
    both = [state.dice[die] for die in state.picked]
    most, least = max(both), max(both) if faces == both else min(both)  # that one is left: nobody sees by which was moved before
    if rule == "leading-end" and max(faces) > 1:  # a lesser die moves no Dominoid at all, whichever end leads
        yield from (_with(state, each, after) for each, after in _moves(state, 6) if _lead(each, after) >= most)
    elif rule == "die-face" and max(faces) < 2 and any(each.kind == "shift" for each in state.legal()):
        yield from (_with(state, each, after) for each, after in _moves(state, 6))
    elif rule in ("slide-distance", "edge") and least > 1:
        yield from (_with(state, each, after) for each, after in _slides(state, least, rule))
    elif rule == "rotate" and least > 1:
        yield from (_with(state, each, after) for each, after in _turns(state, least))
    elif rule == "must-move" and any(face > 1 and not _passes(state, die) for die, face in zip(state.chosen, faces, strict=True)):
        yield _rolled(state, rng)
    elif rule == "shift-pawn" and 1 in faces:
        yield from _shifts(state)
    elif rule == "bud" and max(faces) > 1 and all(_moves_by(state, die) for die in state.chosen if state.dice[die] > 1):
        parents = [each for each in state.dominoids if each.p != each.q]
        yield from (_born(state, child) for child in children(parents, state.pool, objects_on(state), False))
    elif rule == "only-after-sliding":
        yield from (_after(state, coins=replaced(state.coins, suit, None)) for suit, coin in enumerate(state.coins)
                    if coin and not coin[2])
        yield from _sent_back(state, state.dominoids)


def _tried_after_slide(state: State, rule: str, rng: Random) -> Iterator[State]:
    """While a Dominoid that has slid must act."""
    mover = state.dominoids[state.mover or 0]
    beside = {*NEAR[mover.first], *NEAR[mover.second]}
    legal = set(map(str, state.legal()))
    if rule == "must-act":
        if not state.chosen:
            yield _rolled(state, rng)
        else:
            yield from (_with(state, each, after) for each, after in _moves(state, 6) if each is not mover)
    elif rule == "eat":
        yield from (_after(state, coins=replaced(state.coins, suit, None)) for suit, coin in enumerate(state.coins)
                    if coin and coin[0] in beside and coin[2] and f"eat {SUITS[suit]}" not in legal)
    elif rule == "attack":
        others = [each for each in state.dominoids if each is not mover and {each.first, each.second} & beside
                  and f"attack {each.tile}" not in legal and f"breed {each.tile}" not in legal]
        yield from _sent_back(state, others)


def _after(state: State, **changes: Any) -> State:
    """A table like this one but for these fields; no state of the game."""
    after = state.copy()
    for name, value in changes.items():
        setattr(after, name, value)
    return after


def _with(state: State, each: Dominoid, after: Dominoid) -> State:
    """A Dominoid lies elsewhere."""
    return _after(state, dominoids=replaced(state.dominoids, state.dominoids.index(each), after))


def _sent_back(state: State, dominoids: Any) -> Iterator[State]:
    """A Dominoid was taken from the board to the gene pool."""
    for each in dominoids:
        yield _after(state, dominoids=tuple(other for other in state.dominoids if other is not each),
                     pool=tuple(sorted((*state.pool, each.tile))))


def _born(state: State, child: Place) -> State:
    (x, y), (x2, y2) = child.cells
    return _after(state, dominoids=(*state.dominoids, lying(x + SIDE * y, x2 + SIDE * y2, *child.ends)),
                  pool=tuple(tile for tile in state.pool if tile != child.tile))


def _rolled(state: State, rng: Random) -> State:
    """The two dice lie in the box for new ones and show something else."""
    dice = tuple(rng.choice([face for face in range(6) if face != shown]) if suit in state.picked else shown
                 for suit, shown in enumerate(state.dice))
    new = tuple(is_new or suit in state.picked for suit, is_new in enumerate(state.new))
    return _after(state, dice=dice, new=(False,) * 4 if all(new) else new, picked=())


def _passes(state: State, die: int) -> bool:
    return with_die(state, die, objects_on(state))[0].kind == "pass"


def _moves_by(state: State, die: int) -> bool:
    return any(isinstance(each, Slide | Rotate) for each in with_die(state, die, objects_on(state)))


def _lead(each: Dominoid, after: Dominoid) -> int:
    """The end that leads a move; of a turn the one that did not stay."""
    stays = (each.first, each.second)
    for cell, other, end in ((after.first, after.second, after.q), (after.second, after.first, after.p)):
        if cell in stays and abs(other - cell) != abs(each.second - each.first):
            return end
    return each.q if after.first > each.first else each.p


def _moves(state: State, face: int) -> list[tuple[Dominoid, Dominoid]]:
    """Moves of Dominoids as they would be by a die with such a face, each before and after."""
    found = []
    for action in moves(state.dominoids, objects_on(state), 0, face, False):
        (x, y), (x2, y2) = action.cells
        each = next(each for each in state.dominoids if each.tile == action.tile)
        if each.p != each.q:  # of a double nobody sees which end leads
            found.append((each, lying(x + SIDE * y, x2 + SIDE * y2, *action.ends)))
    return found


def _slides(state: State, best: int, rule: str) -> Iterator[tuple[Dominoid, Dominoid]]:
    """Slides that end at another distance than they must, or short of the edge that would have stopped them."""
    objects = objects_on(state)
    right = {(each, after) for each, after in _moves(state, 6)}
    for each in state.dominoids:
        for trail, lead, a, b in ((each.first, each.second, each.p, each.q), (each.second, each.first, each.q, each.p)):
            if each.p == each.q or b >= best:
                continue
            step = lead - trail
            if (slide_length(lead, step, b, objects, False) > 0) != (rule == "slide-distance"):
                continue
            for far, cell in enumerate(RAYS[step][lead], 1):
                if objects >> cell & 1:
                    break
                after = lying(trail + far * step, lead + far * step, a, b)
                if (each, after) not in right:
                    yield each, after


def _turns(state: State, best: int) -> Iterator[tuple[Dominoid, Dominoid]]:
    """Turns over a square that is not empty."""
    objects = objects_on(state)
    for each in state.dominoids:
        for pivot, lead, a, b in ((each.first, each.second, each.p, each.q), (each.second, each.first, each.q, each.p)):
            if each.p == each.q or b >= best:
                continue
            step = lead - pivot
            for side in (SIDE, -SIDE) if abs(step) == 1 else (1, -1):
                if RAYS[side][pivot] and not objects >> pivot + side & 1 and objects >> lead + side & 1:
                    yield each, lying(pivot, pivot + side, a, b)


def _shifts(state: State) -> Iterator[State]:
    """Strips that hold a pawn, though not that of an ace."""
    aces = [die for die in state.chosen if state.dice[die] == 1]
    for line, axis in (("row", 1), ("column", 0)):
        for index in range(SIDE // 2):
            inside = [suit for suit, cell in enumerate(state.pawns) if cell_of(cell)[axis] // 2 == index]
            if inside and not set(inside) & set(aces):
                yield from (after for step in (1, -1) if (after := _pushed(state, line, index, step)) is not None)


def _pushed(state: State, line: str, index: int, step: int) -> State | None:
    """A strip of the board pushed on; None where a Dominoid hinders it."""
    bits = strip(line, index)

    def to(cell: int) -> int:
        return shifted(cell, line, step) if bits >> cell & 1 else cell

    pushed = [(to(each.first), to(each.second), each.p, each.q) for each in state.dominoids]
    if any(second not in NEAR[first] for first, second, _, _ in pushed):
        return None
    return _after(state, dominoids=tuple(lying(*each) for each in pushed), pawns=tuple(map(to, state.pawns)),
                  coins=tuple(coin and (to(coin[0]), coin[1], coin[2]) for coin in state.coins))


def _misplaced(state: State, rule: str) -> Iterator[State]:
    """A child with no number of its parents, or one beside no end that matches it."""
    objects, legal = objects_on(state), set(state.legal())
    parents = [state.dominoids[at] for at in state.parents]
    numbers = {end for parent in parents for end in (parent.p, parent.q)}
    for tile in state.pool:
        shares = bool(numbers & {tile.low, tile.high})
        if shares != (rule == "child-place"):
            continue
        for first in range(SIDE * SIDE):
            for step in (1, SIDE):
                if RAYS[step][first] and not objects >> first & 1 and not objects >> first + step & 1:
                    child = Place(tile, (cell_of(first), cell_of(first + step)), (tile.low, tile.high))
                    near = {*NEAR[first], *NEAR[first + step]}
                    if child not in legal and any({parent.first, parent.second} & near for parent in parents):
                        yield _born(state, child)


def _coins_astray(state: State, rng: Random) -> Iterator[State]:
    """A new coin beside no pawn of its suit."""
    objects = objects_on(state)
    for suit, coin in enumerate(state.coins):
        if coin is None and state.stacks[suit]:
            for cell in rng.sample(range(SIDE * SIDE), 12):
                if not objects >> cell & 1 and cell not in NEAR[state.pawns[suit]]:
                    yield _after(state, coins=replaced(state.coins, suit, (cell, state.stacks[suit][0], False)),
                                 stacks=replaced(state.stacks, suit, state.stacks[suit][1:]))
