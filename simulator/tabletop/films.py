"""How happenings look: what the table, the light, the camera and the hands are at each moment of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simulator.layouts import LYING
from simulator.staging.setting import Setting
from simulator.tabletop.camera import Camera
from simulator.tabletop.hands import Hand
from simulator.tabletop.happenings import (
    Bump,
    Carry,
    Covered,
    Flash,
    Frozen,
    Happening,
    Lighting,
    Move,
    Rest,
    Still,
    Together,
    Unplugged,
    Wash,
)
from simulator.tabletop.lying import Tabletop, Thing, Tile
from simulator.tabletop.render import Light

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class World:
    """What stays when a happening is over."""

    table: Tabletop
    camera: Camera
    light: Light = field(default_factory=Light)


@dataclass(frozen=True, slots=True)
class Now:
    """One moment of a happening. doing: still, hand (one is over the table), moving (something moves), light, bump,
    covered, frozen or unplugged."""

    world: World
    hands: tuple[Hand, ...] = ()
    doing: str = "still"


@dataclass(frozen=True, slots=True)
class Film:
    """A happening in time: `at(seconds)` since its beginning, for `seconds`; and what is so afterwards."""

    seconds: float
    at: Callable[[float], Now]
    after: World


def perform(happening: Happening, world: World, setting: Setting, rng: np.random.Generator) -> Film:
    """The film of a happening that begins in this world."""
    match happening:
        case Move():
            return _moves([happening], 0.0, world, setting, rng)
        case Together():
            return _moves(happening.moves, happening.apart, world, setting, rng)
        case Rest():
            return _rest(happening, world, setting)
        case Wash():
            return _wash(happening, world, setting, rng)
        case Bump():
            return _bump(happening, world, rng)
        case Lighting():
            return _lighting(happening, world)
        case Flash():
            return _flash(happening, world)
        case Covered() | Frozen() | Unplugged():
            word = type(happening).__name__.lower()
            return Film(happening.seconds, lambda t: Now(world, (), word), world)
        case Still():
            return Film(happening.seconds, lambda t: Now(world), world)


LOOKED_S = 0.05
"""So closely a film is looked through."""


def reaching(film: Film) -> Now | None:
    """The moment that shows best what hands do in a film: midway while one holds something, or else while one is over the
    table; None where none comes."""
    moments = [film.at(time) for time in np.arange(0, film.seconds, LOOKED_S).tolist()]
    hands = [now for now in moments if now.hands]
    holding = [now for now in hands if any(getattr(thing, "lift", 0.0) > 0 for thing in now.world.table)] or hands
    return holding[len(holding) // 2] if holding else None


HELD_S = 1.5
"""For so long at most a hand is shown in a single picture."""


def in_few_pictures(film: Film) -> Film:
    """The same happening in one picture of its hands, or in none: where pictures take long to make."""
    hand = reaching(film)
    if hand is None:
        after = film.at(film.seconds)
        return replace(film, at=lambda time: replace(after, world=film.after))
    return replace(film, seconds=min(film.seconds, HELD_S), at=lambda time: hand)


# Hands.


@dataclass(frozen=True, slots=True)
class _Step:
    """A hand goes from one point to another, holding something or nothing; heights are of its fingertips."""

    start: float
    end: float
    goes: tuple[Point, Point]
    height: tuple[float, float]
    carry: Carry | None = None
    before: Tabletop | None = None


def smooth(share: float) -> float:
    """0 to 1, starting and stopping gently."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def elbow(setting: Setting, seat: int, aside: float = 130.0) -> Point:
    """From where a seat's arm comes, mm: beyond its edge, to its right."""
    return setting.at(seat, aside, -1300.0)


def seat_edge(setting: Setting, seat: int) -> Point:
    """Where a seat's hand waits out of sight."""
    return setting.at(seat, 90.0, -420.0)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _turned(a: float, b: float, share: float) -> float:
    """An angle between two, the short way round."""
    return a + ((b - a + np.pi) % (2 * np.pi) - np.pi) * share


def _grip(thing: Thing) -> Point:
    return thing.x, thing.y


def _ends(carry: Carry, table: Tabletop, home: Point) -> list[tuple[Thing, Thing]]:
    """Each thing carried, as it was and as it will be; off the table is at the hand's home."""
    pairs = [(table[thing.name] if thing.name in table else replace(thing, x=home[0], y=home[1]), thing) for thing in carry.to]
    return pairs + [(table[name], replace(table[name], x=home[0], y=home[1])) for name in carry.gone if name in table]


def _steps(move: Move, table: Tabletop, setting: Setting, rng: np.random.Generator) -> list[_Step]:
    """The way of a hand through a move."""
    home = seat_edge(setting, move.seat)
    steps: list[_Step] = []
    here, high, time = home, 60.0, 0.0
    pace = float(rng.uniform(0.8, 1.25))

    def go(to: Point, height: float, seconds: float, carry: Carry | None = None) -> None:
        nonlocal here, high, time
        steps.append(_Step(time, time + seconds * pace, (here, to), (high, height), carry, table if carry else None))
        here, high, time = to, height, time + seconds * pace

    for carry in move.carries:
        pairs = _ends(carry, table, home)
        if not pairs:
            continue
        start, end = _grip(pairs[0][0]), _grip(pairs[0][1])
        go(start, 6.0, 0.35 + float(np.hypot(start[0] - here[0], start[1] - here[1])) / 1600)
        go(start, 5.0, 0.12)
        go(end, 6.0, 0.3 + float(np.hypot(end[0] - start[0], end[1] - start[1])) / 1100, carry)
        table = carry.done(table)
        go(end, 8.0, 0.14)
    go(home, 70.0, 0.3 + float(np.hypot(home[0] - here[0], home[1] - here[1])) / 1700)
    return steps


def carried(before: Thing, after: Thing, share: float, slide: bool) -> Thing:
    """A thing on its way from one place to another."""
    eased = smooth(share)
    stands = isinstance(after, Tile) and after.pose != LYING
    base: Any = before if (stands or share < 0.4) else after
    if isinstance(before, Tile) and before.pose != LYING:
        base = after if not stands else replace(before, pose=LYING, up=False)
    x, y = _between(_grip(before), _grip(after), eased)
    changes: dict[str, Any] = {"x": x, "y": y, "angle": float(_turned(before.angle, after.angle, eased))}
    if hasattr(base, "z"):
        changes["z"] = getattr(before, "z", 0.0) + (getattr(after, "z", 0.0) - getattr(before, "z", 0.0)) * eased
    if hasattr(base, "lift"):
        changes["lift"] = 0.0 if slide else 2.0 + 34.0 * float(np.sin(np.pi * eased))
    moved: Thing = replace(base, **changes)
    return moved


def _moves(moves: Sequence[Move], apart: float, world: World, setting: Setting, rng: np.random.Generator) -> Film:
    films: list[tuple[float, Move, list[_Step]]] = []
    table = world.table
    for k, move in enumerate(moves):
        films.append((k * apart, move, _steps(move, table, setting, rng)))
        for carry in move.carries:
            table = carry.done(table)
    seconds = max(start + steps[-1].end for start, _, steps in films)
    after = replace(world, table=table)

    def at(time: float) -> Now:
        now, hands, moving = world.table, [], False
        for start, move, steps in films:
            shown, hand, busy = _frame(time - start, move, steps, now, setting)
            now, moving = shown, moving or busy
            hands += [hand] if hand else []
        return Now(replace(world, table=now), tuple(hands), "moving" if moving else "hand" if hands else "still")

    return Film(seconds, at, after)


def _frame(time: float, move: Move, steps: list[_Step], table: Tabletop, setting: Setting) -> tuple[Tabletop, Hand | None, bool]:
    """The table with what a move has done to it so far, its hand, and whether something is being moved."""
    hand: Hand | None = None
    busy = False
    source = elbow(setting, move.seat)
    for step in steps:
        if time < step.start:
            break
        share = min(1.0, (time - step.start) / (step.end - step.start))
        if time <= step.end:
            tip = _between(*step.goes, smooth(share))
            hand = Hand(tip, source, step.height[0] + (step.height[1] - step.height[0]) * share, "pinch", move.seat)
        if step.carry is None or step.before is None:
            continue
        if share >= 1:
            table = step.carry.done(table)
            continue
        pairs = _ends(step.carry, step.before, seat_edge(setting, move.seat))
        shown = [carried(a, b, share, step.carry.slide) for a, b in pairs]
        table, busy = table.put(*shown), True
        lift = getattr(shown[0], "lift", 0.0) + getattr(shown[0], "z", 0.0)
        hand = Hand(_grip(shown[0]), source, lift + 6.0, "point" if step.carry.slide else "pinch", move.seat)
    return table, hand, busy


def _rest(rest: Rest, world: World, setting: Setting) -> Film:
    home, source = seat_edge(setting, rest.seat), elbow(setting, rest.seat)
    go = 0.7

    def at(time: float) -> Now:
        share = smooth(min(time / go, (rest.seconds - time) / go))
        hand = Hand(_between(home, rest.at, share), source, 60 - 56 * share, "flat", rest.seat)
        return Now(world, (hand,), "hand")

    return Film(rest.seconds, at, world)


def _wash(wash: Wash, world: World, setting: Setting, rng: np.random.Generator) -> Film:
    x0, y0, x1, y1 = (0.6 * v for v in setting.area)
    mixed: list[Tabletop] = []
    for _ in range(max(1, int(wash.seconds / 0.5))):
        table = world.table if len(mixed) * 2 < wash.seconds else wash.after
        things: list[Thing] = []
        for thing in table:
            if isinstance(thing, Tile):
                x, y, angle = rng.uniform((x0, y0, 0), (x1, y1, 2 * np.pi))
                thing = Tile(thing.name, float(x), float(y), float(angle), thing.ends, up=False)
            things.append(thing)
        mixed.append(Tabletop(tuple(things)))
    centre = ((x0 + x1) / 2, (y0 + y1) / 2)

    def at(time: float) -> Now:
        hands = []
        for seat in range(setting.players):
            swing = (centre[0] + 150 * float(np.cos(3 * time + 2 * seat)), centre[1] + 110 * float(np.sin(3.4 * time + 2 * seat)))
            share = smooth(min(time / 0.6, (wash.seconds - time) / 0.6))
            hands.append(Hand(_between(seat_edge(setting, seat), swing, share), elbow(setting, seat), 10.0, "flat", seat))
        if time < 0.6:
            table = world.table
        elif time > wash.seconds - 0.9:
            table = wash.after
        else:
            table = mixed[min(len(mixed) - 1, int(time / 0.5))]
        return Now(replace(world, table=table), tuple(hands), "moving")

    return Film(wash.seconds, at, replace(world, table=wash.after))


# Camera and light.


def _bump(bump: Bump, world: World, rng: np.random.Generator) -> Film:
    after = replace(world, camera=world.camera.bumped(bump.x, bump.y, bump.turn, bump.tilt))
    shakes = rng.uniform(-0.4, 1.4, 3)

    def at(time: float) -> Now:
        share = float(shakes[min(2, int(time / 0.1))])
        shaken = world.camera.bumped(bump.x * share, bump.y * share, bump.turn * share, bump.tilt * share)
        return Now(replace(world, camera=shaken), (), "bump")

    return Film(0.3, at, after)


def _lighting(change: Lighting, world: World) -> Film:
    old, new = world.light, change.light

    def at(time: float) -> Now:
        share = time / max(change.seconds, 1e-6)
        lamps = tuple(a + (b - a) * share for a, b in zip(old.lamps, new.lamps, strict=True))
        light = Light(lamps, old.room + (new.room - old.room) * share)
        return Now(replace(world, light=light), (), "light")

    return Film(change.seconds, at, replace(world, light=new))


def _flash(flash: Flash, world: World) -> Film:
    return Film(flash.seconds, lambda time: Now(replace(world, light=replace(world.light, flash=1.0)), (), "light"), world)
