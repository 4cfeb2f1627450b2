"""How well coins, dice, pawns and chips are read on game tables, settled state by settled state, by the watcher itself.

A piece counts in every settled state in which at least `SEEN` of it can be seen. It is right where the observation has a
piece of its kind at its foot whose most likely label is the true one; what is seen where nothing stands is invented. How
often one is not seen at all is counted of every piece that others do not hide wholly: the referee asks for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import dist
from random import Random
from typing import Any

import numpy as np

from calibration.profile import Profile
from engine.games import game as game_named
from engine.playout import choose, deal_on
from referee.games import OnTable, tiles_of
from referee.session import Session
from simulator.piece_truth import PIECE_KINDS, Wanted, profile_of, sold, wanted
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.render import Renderer
from simulator.tabletop.truth import Truth
from trials.piece_pictures import SEEN, exposed_shot, shown_set
from trials.table import film
from vision.frame import Frame
from vision.observation import SeenPiece
from vision.piece_sets import COMMON
from vision.pieces import PieceReader
from vision.reader import Reader

STATES = 6
"""Settled states of each table."""

TURNS = 4
"""Actions between two of them."""


@dataclass
class PieceScore:
    """Counts over settled states, by kind (of coins by side, too), and the mistakes."""

    states: int = 0
    unsettled: int = 0
    invented: int = 0
    pieces: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    lying: Counter[str] = field(default_factory=Counter)
    unseen: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)

    def add(self, other: PieceScore) -> None:
        """Take another score into this one."""
        for name, value in vars(other).items():
            if isinstance(value, Counter):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)

    @property
    def share(self) -> float:
        """Pieces read right, of all."""
        return sum(self.right.values()) / max(1, sum(self.pieces.values()))

    def rates(self) -> dict[str, Any]:
        """How often a piece of each kind is not seen where it lies, with Jeffreys' prior, and of how many that is told."""
        return {"missed": {kind: round((self.unseen[kind] + 0.5) / (of + 1), 4) for kind, of in sorted(self.lying.items())},
                "rests on": dict(sorted(self.lying.items()))}

    def as_object(self) -> dict[str, Any]:
        """What `measure-pieces --json` says of a game."""
        told = {name: dict(value.most_common(25)) if isinstance(value, Counter) else value for name, value in vars(self).items()}
        return told | {"share": round(self.share, 4)}


def measure_game(
    game: str, seed: int, tiles: Reader, reader: PieceReader, common: bool = True, learnt: bool = False
) -> PieceScore:
    """One table of a game, followed over some turns; `seed` counts within the looks kept for testing.

    common: the pieces are of an edition that is sold, else a random one. learnt: they were shown to the reader before.
    """
    kind = game_named(game)
    players = kind.SEATS[seed % len(kind.SEATS)]
    setting = set_table(game, players, TESTING_SEEDS[seed])
    if common:
        sold(setting.look, seed)
    rng, stage = Random(seed), stage_of(game, setting)
    renderer = Renderer(whole_view(setting, np.random.default_rng([seed, 5])), setting.look)
    profile = profile_of(renderer.camera, setting.area)
    pieces = shown_set(reader, profile, renderer, setting.look, np.random.default_rng([seed, 6])) if learnt else COMMON
    session = Session(tiles, on=OnTable(tiles_of(game), PIECE_KINDS[game], pieces), profile=profile, pieces=reader)
    state, fits = kind(None, players), getattr(stage, "fits", None)
    deal_on(state, rng)
    score, grain, number = PieceScore(), np.random.default_rng(seed), 0
    for shot in range(STATES):
        image, truth = exposed_shot(reader, renderer, stage.lay(state), profile, shot)
        for picture in film(image, grain):
            seen = session.see(Frame(picture, number / 10, number))
            number += 1
        score.add(compare(seen.pieces, truth, setting.look, session.profile or profile))
        score.unsettled += not seen.settled
        for _ in range(TURNS):
            if state.outcome() is None:
                legal = [act for act in state.legal() if fits is None or not hasattr(act, "cells") or fits(state.turn, act)]
                action = choose(legal or list(state.legal()), rng)
                state.push(action)
                stage.done(action) if hasattr(stage, "done") else None
                deal_on(state, rng)
        if state.outcome() is not None:
            break
    return score


def compare(seen: Sequence[SeenPiece], truth: Truth, look: Look, profile: Profile) -> PieceScore:
    """The pieces of one settled state beside the truth."""
    score = PieceScore(states=1)
    feet = np.array([piece.center for piece in seen]).reshape(-1, 2)
    for piece in wanted(truth, look, profile, SEEN):
        kind, label = piece.label
        name = f"{kind} {label.split(':')[0]}" if kind == "coin" else kind
        score.pieces[name] += 1
        far = np.linalg.norm(feet - piece.foot, axis=1)
        near = int(far.argmin()) if len(far) else -1
        if near < 0 or far[near] > _near(piece):
            score.missed[name] += 1
            read = "-"
        else:
            read = seen[near].label if seen[near].kind == kind else f"({seen[near].kind})"
        score.right[name] += read == label
        if read != label:
            score.mistakes[f"{kind} {label} as {read}"] += 1
    there = list(wanted(truth, look, profile, 0.05))
    for piece in there:
        kind = piece.label[0]
        if any(dist(other.foot, piece.foot) < _near(piece) for other in there if other is not piece and other.label[0] == kind):
            continue  # one of a stack, of which the uppermost is seen
        score.lying[kind] += 1
        score.unseen[kind] += not any(each.kind == kind and dist(each.center, piece.foot) < _near(piece) for each in seen)
    score.invented = sum(all(np.linalg.norm(foot - each.foot) > 0.9 * each.radius + 2 for each in there) for foot in feet)
    return score


def _near(piece: Wanted) -> float:
    """How far from its foot a piece is seen at most, mm."""
    return 0.75 * piece.radius + 2
