"""What may have been played in a line game, legal or not, given what the table shows; and how to say it."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import Action
from engine.core import UNKNOWN
from engine.lines.actions import PASS, SKIP, Claim, Deal, Muggins, Play, Skip
from engine.lines.line import Line
from engine.pieces import Tile
from engine.state import State
from engine.words import say, some
from referee.readers.hand_plays import HandPlays, Shown
from referee.readers.words import named
from referee.reading import LESS, Breach, Difference, Ends, Expected, Place, Proposal, Reading
from vision.degrees import RARELY


def last_play(state: State) -> tuple[int, Play] | None:
    """The last tile that was laid, and after how much else."""
    pushed = state.pushed
    return next(((at, action) for at, action in reversed(list(enumerate(pushed))) if isinstance(action, Play)), None)


class LinePlays(HandPlays):
    """Proposals, breaches and words; the reading itself stands in `line.py`."""

    def left_after_deal(self, state: Line) -> int:
        """How many tiles the boneyard has when all hands are dealt."""
        return len(state.kit.tiles) - state.kit.hand * state.players

    def proposals(self, state: Line, reading: Reading) -> list[Proposal]:
        """What may have been done that is legal; while points may be called, only that."""
        return self._calls(state, reading) if state.phase == "claim" else super().proposals(state, reading)

    def _calls(self, state: Line, reading: Reading) -> list[Proposal]:
        """Points are called at the page, and let go where the next tile comes without that (A5); where it came before the page
        had told of the play that made them, nobody knows."""
        if not self.goes_on(state, reading):
            return []
        done, play = reading.noted.told
        told = play is not None and play == last_play(state)
        if len(state.pushed) > done and isinstance(state.last_pushed, Skip) and state.players > 2:
            told &= state.pending is None or state.pending[0] != state.turn  # own points waited for others to call earlier ones
        return [Proposal(action, LESS) for action in state.legal() if action == SKIP or not told]

    def goes_on(self, state: Line, reading: Reading) -> bool:
        """Whether more seems to have been done than the state knows."""
        return bool(self._beyond(state, reading) or self._drawn(state, reading) or reading.loose)

    @staticmethod
    def _next_places(state: Line, reading: Reading) -> list[Place]:
        """Where the next tile of every arm lies, those too that are not open yet."""
        if state.root is None:
            return [("root",)]
        laid = {name: len(arm) for name, arm in state.arms()}
        begun = {place[0]: 0 for place in reading.tiles if place[0] not in ("root", "side")}
        return [(name, count + 1) for name, count in (begun | laid).items()]

    @staticmethod
    def _play(place: Place, ends: Ends) -> Play:
        return Play(Tile.of(*ends), place[0], None if place == ("root",) else ends[1])

    def _deals(self, state: Line, reading: Reading) -> list[Proposal]:
        """The round begins with whoever lays the first tile."""
        if not reading.tiles:
            return []
        hands, rest = ((UNKNOWN,) * state.kit.hand,) * state.players, (UNKNOWN,) * self.left_after_deal(state)
        starters = [state.leader] if state.leader is not None else range(state.players)
        return [Proposal(Deal(hands, rest, seat), hand=seat) for seat in starters]

    def breaches(self, state: Line, reading: Reading) -> list[Breach]:
        """Tiles against ends that they do not fit, beside the line, or that cannot be in the hand."""
        if state.phase == "claim":  # the next tile says that nobody calls
            return []
        found, before = [], self.expected(state, reading)
        shown = [(each, state.verify(each.play)) for each in self._shown_plays(state, reading, RARELY, 3)]
        for place, sight in reading.tiles.items():
            if place[0] == "side" and sight.up:
                tile = Tile.of(*sight.ends)
                shown.append((Shown(None, place, sight.ends), state.verify(Play(tile, "side", tile.high))))
        for each, verdict in shown:
            if not verdict:
                words = say("{name} lays the {tile} {where}.", name=self._name(state.turn), tile=Tile.of(*each.ends),
                            where=_where(each.place, state))
                found.append(self._breach(reading, before, each, verdict, words, state.turn))
        if len(reading.loose) == 1 and state.root is not None:
            sight = reading.loose[0]
            tile = Tile.of(*sight.ends)
            foreign = tile not in state.kit.tiles
            if (foreign or tile in state.unseen()) and "turned" not in reading.faults.values():
                verdict = state.verify(Play(tile, "root", None))
                supposed = Expected(before.tiles, before.counts, None, frozenset({sight.track}))
                words = say("{name} lays the {tile} apart from the line.", name=self._name(state.turn), tile=tile)
                found.append(Breach(verdict, supposed, words, LESS, None, state.turn, sight.center, hand=state.turn))
        bound = {PASS, SKIP}.isdisjoint(state.legal())  # neither a pass nor a bonus let go leaves a trace
        if len(came := reading.reached.came) == 1 and state.turn not in came and bound:
            found += self._early(state, reading, before, *came)
        return found

    def _early(self, state: Line, reading: Reading, before: Expected, seat: int) -> list[Breach]:
        """Plays of a seat that is not to move."""
        found = []
        legal, may_hold, verdict = state.legal(), (*state.unseen(), *state.hands[seat]), self._out_of_turn(state, seat)
        for play, place, _ in self._shown_plays(state, reading):
            if play.tile in may_hold and play in (state.plays_of([play.tile]) if state.phase == "play" else legal):
                words = say("{name} lays the {tile} out of turn.", name=self._name(seat), tile=play.tile)
                breach = self._breach(reading, before, Shown(None, place, play.laid), verdict, words, seat)
                found.append(replace(breach, cost=0.0))
        return found[:2]

    def words(self, state: Line, action: Action) -> str:
        """As a player would say it."""
        name = self._name(state.turn)
        if isinstance(action, Play):
            if action.arm == "root":
                return say("{name} leads the {tile}.", name=name, tile=action.tile)
            return say("{name} plays the {tile} {where}; {open} is open there.", name=name, tile=action.tile,
                       where=state.where(action.arm), open=action.open)
        points = some(state.pending[1], "point") if state.pending is not None else ""
        if isinstance(action, Claim):
            return say("{name} calls {points}.", name=name, points=points)
        if isinstance(action, Muggins):
            return say("{name} calls muggins: the {points} that {other} let go.", name=name, points=points,
                       other=self._name(action.seat))
        if isinstance(action, Skip):
            if points:
                return say("{name} does not call {points}.", name=name, points=points)
            return say("{name} lays no second tile.", name=name)
        if isinstance(action, Deal):
            return say("The tiles are dealt; {name} leads.", name=self._name(action.starter))
        return super().words(state, action)

    def step(self, difference: Difference, state: Line) -> str:
        """One thing to do with the hands."""
        if difference.kind == "loose" and state.chance != "show" and Tile.of(*difference.seen) in state.unseen():
            return say("The {tile} lies open beside the line: turn it face down or take it back into the hand.",
                       tile=named(difference.seen))
        return super().step(difference, state)

    def _position(self, place: Place, state: Line) -> str:
        if place == ("root",):
            return say("in the middle of the line")
        back = len(dict(state.arms())[place[0]]) - place[1]
        if back <= 0:
            return _where(place, state)
        if place[0] not in ("left", "right"):
            return say("{where}, number {place} from the end", where=_where(place, state), place=back + 1)
        return (say("in the left arm, number {place} from its end", place=back + 1) if place[0] == "left"
                else say("in the right arm, number {place} from its end", place=back + 1))  # fmt: skip


def _where(place: Place, state: Line) -> str:
    if place == ("root",):
        return say("in the middle")
    if place[0] == "side":
        return say("beside the line")
    if place[0] not in ("left", "right"):
        return state.where(place[0])
    return say("at the left end") if place[0] == "left" else say("at the right end")
