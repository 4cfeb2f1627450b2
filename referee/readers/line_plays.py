"""What may have been played in a line game, legal or not, given what the table shows; and how to say it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from engine.actions import Action
from engine.core import UNKNOWN, Verdict
from engine.lines.actions import DRAW, PASS, SKIP, Claim, Deal, Draw, Muggins, Pass, Play, Show, Skip
from engine.lines.line import Line
from engine.pieces import Tile
from engine.state import State
from engine.words import joined, listed, say, some
from referee.readers.boneyard import PASSING
from referee.readers.shown import first_shown, never_held, one_is_shown
from referee.readers.words import named, to_do
from referee.reading import LESS, Breach, Difference, Expected, Laid, Place, Proposal, Reading, Sight
from referee.setting import Setting
from vision.degrees import HARDLY, nats_against

SINGLE_ACROSS = nats_against(HARDLY)
"""Nats against a tile that lies across the line and is no double (about one in a hundred and fifty)."""

ACROSS = "across"
"""Among a reading's faults: a tile lies across the line."""


def last_play(state: State) -> tuple[int, Play] | None:
    """The last tile that was laid, and after how much else."""
    pushed = state.pushed
    return next(((at, action) for at, action in reversed(list(enumerate(pushed))) if isinstance(action, Play)), None)


class LinePlays(ABC):
    """Proposals, breaches and words; the reading itself stands in `line.py`."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    @abstractmethod
    def expected(self, state: State, reading: Reading) -> Expected:
        """What the table looks like in a state."""

    def proposals(self, state: State, reading: Reading) -> list[Proposal]:
        """Plays that the tips of the line show, draws that the boneyard lacks, passes, and hands shown."""
        assert isinstance(state, Line)
        if state.chance == "deal":
            return self._deals(state, reading)
        if state.chance == "show":
            return self._shows(state, reading)
        if state.turn is None:
            return []
        if state.phase == "claim":
            return self._calls(state, reading)
        legal = state.legal()
        found = [Proposal(play, self._askew(play.tile, place, reading), cost, state.turn, reading.tiles[place].center)
                 for play, cost in self._shown_plays(state, reading) if play in legal for place in [self._place(state, play)]]
        drawn = self._drawn(state, reading)
        goes_on = (drawn or self._beyond(state, reading) or len(reading.loose) > 1
                   or one_is_shown(state.hands, reading.hands))
        if DRAW in legal and drawn:
            found.append(Proposal(DRAW, LESS, hand=state.turn))
        if PASS in legal and goes_on:
            found.append(Proposal(PASS, PASSING))
        if SKIP in legal and goes_on:
            found.append(Proposal(SKIP, LESS))
        return found

    def _calls(self, state: Line, reading: Reading) -> list[Proposal]:
        """Points are called at the page, and let go where the next tile comes without that (A5); where it came before the page
        had told of the play that made them, nobody knows."""
        if not self.goes_on(state, reading):
            return []
        done, play = reading.noted
        told = play is not None and play == last_play(state)
        if len(state.pushed) > done and isinstance(state.last_pushed, Skip) and state.players > 2:
            told &= state.pending is None or state.pending[0] != state.turn  # own points waited for others to call earlier ones
        return [Proposal(action, LESS) for action in state.legal() if action == SKIP or not told]

    def goes_on(self, state: Line, reading: Reading) -> bool:
        """Whether more seems to have been done than the state knows."""
        return bool(self._beyond(state, reading) or self._drawn(state, reading) or reading.loose)

    @staticmethod
    def _drawn(state: Line, reading: Reading) -> bool:
        """Whether the boneyard may have fewer tiles than it should."""
        boneyard = reading.counts.get("boneyard")
        return boneyard is not None and boneyard.value - len(boneyard.maybe) < len(state.boneyard)

    def revokes(self, state: State, show: Action) -> list[str]:
        """What tiles shown at a round's end prove: that the seat drew or passed while it held one that fitted (C9, H2)."""
        assert isinstance(state, Line)
        if not isinstance(show, Show):
            return []
        held = never_held(state.knowledge()[show.seat], state.hands[show.seat], show.tiles)
        return [say("{name} drew or passed although the {tiles} would have fitted.", name=self._name(show.seat),
                    tiles=listed(held, "or"))] if held else []

    def _beyond(self, state: Line, reading: Reading) -> bool:
        known = self.expected(state, reading).tiles
        return any(place not in known for place in reading.tiles)

    @staticmethod
    def _next_places(state: Line, reading: Reading) -> list[Place]:
        """Where the next tile of every arm lies, those too that are not open yet."""
        if state.root is None:
            return [("root",)]
        laid = {name: len(arm) for name, arm in state.arms()}
        begun = {place[0]: 0 for place in reading.tiles if place[0] not in ("root", "side")}
        return [(name, count + 1) for name, count in (begun | laid).items()]

    @staticmethod
    def _place(state: Line, play: Play) -> Place:
        """Where a play goes."""
        return ("root",) if play.arm == "root" else (play.arm, 1 + len(dict(state.arms()).get(play.arm, ())))

    @staticmethod
    def _askew(tile: Tile, place: Place, reading: Reading) -> float:
        """Nats against a tile for how it lies: across the line people lay doubles alone."""
        return SINGLE_ACROSS if reading.faults.get(place) == ACROSS and not tile.is_double else 0.0

    def _shown_plays(self, state: Line, reading: Reading) -> list[tuple[Play, float]]:
        """Plays that the next places of the line may show, legal or not, each with the nats against its ends."""
        plays = []
        for place in self._next_places(state, reading):
            sight = reading.tiles.get(place)
            if sight is None or not sight.up:
                continue
            for ends, _ in sight.likely()[:24]:
                tile = Tile.of(*ends)
                play = Play(tile, "root", None) if place == ("root",) else Play(tile, place[0], ends[1])
                plays.append((play, sight.cost(ends)))
        return plays

    def _deals(self, state: Line, reading: Reading) -> list[Proposal]:
        """The round begins with whoever lays the first tile."""
        if ("root",) not in reading.tiles and not reading.tiles:
            return []
        size, seats = state.kit.hand, range(state.players)
        hands = ((UNKNOWN,) * size,) * state.players
        rest = (UNKNOWN,) * (len(state.kit.tiles) - size * state.players)
        starters = [state.leader] if state.leader is not None else list(seats)
        return [Proposal(Deal(hands, rest, seat), hand=seat) for seat in starters]

    def _shows(self, state: Line, reading: Reading) -> list[Proposal]:
        """The first seat whose hand lies open in full."""
        ways = first_shown(state.hands, state.unseen(), lambda seat: reading.hands.get(seat, ()))
        return [Proposal(show, cost) for seat, tiles, cost in ways for show in [Show(seat, tiles)] if state.verify(show)]

    def breaches(self, state: State, reading: Reading) -> list[Breach]:
        """Tiles against ends that they do not fit, beside the line, or that cannot be in the hand."""
        assert isinstance(state, Line)
        if state.turn is None or state.phase == "claim":  # the next tile says that nobody calls
            return []
        found, before = [], self.expected(state, reading)
        for place in self._next_places(state, reading):
            sight = reading.tiles.get(place)
            if sight is None or not sight.up:
                continue
            for ends, _ in sight.likely(0.02)[:3]:
                tile = Tile.of(*ends)
                play = Play(tile, "root", None) if place == ("root",) else Play(tile, place[0], ends[1])
                verdict = state.verify(play)
                if not verdict:
                    found.append(self._breach(state, before, place, ends, verdict, sight,
                                              self._askew(tile, place, reading), play))
        for place, sight in reading.tiles.items():
            if place[0] == "side" and sight.up:
                tile = Tile.of(*sight.ends)
                verdict = state.verify(Play(tile, "side", tile.high))
                found.append(self._breach(state, before, place, sight.ends, verdict, sight, 0.0, None))
        if len(reading.loose) == 1 and state.root is not None:
            sight = reading.loose[0]
            tile = Tile.of(*sight.ends)
            foreign = tile not in state.kit.tiles
            if (foreign or tile in state.unseen()) and "turned" not in reading.faults.values():
                verdict = state.verify(Play(tile, "root", None))
                supposed = Expected(before.tiles, before.counts, None, frozenset({sight.track}))
                words = say("{name} lays the {tile} apart from the line.", name=self._name(state.turn), tile=tile)
                found.append(Breach(verdict, supposed, words, 1.0, None, state.turn, sight.center, hand=state.turn))
        others = reading.reached.came - {state.turn}
        bound = {PASS, SKIP}.isdisjoint(state.legal())  # neither a pass nor a bonus let go leaves a trace
        if others and state.turn not in reading.reached.came and len(others) == 1 and bound:
            found += self._out_of_turn(state, reading, before, next(iter(others)))
        return found

    def _breach(self, state: Line, before: Expected, place: Place, ends: tuple[int, int], verdict: Verdict, sight: Sight,
                cost: float, action: Play | None) -> Breach:
        tiles = dict(before.tiles) | {place: Laid(ends)}
        tile = Tile.of(*ends)
        where = say("beside the line") if place[0] == "side" else _where(place, state)
        words = say("{name} lays the {tile} {where}.", name=self._name(state.turn), tile=tile, where=where)
        return Breach(verdict, Expected(tiles, before.counts), words, cost, action, state.turn, sight.center, hand=state.turn)

    def _out_of_turn(self, state: Line, reading: Reading, before: Expected, seat: int) -> list[Breach]:
        found = []
        legal = state.legal()
        for play, _ in self._shown_plays(state, reading):
            if play.tile not in (*state.unseen(), *state.hands[seat]):
                continue
            if play not in (state.plays_of([play.tile]) if state.phase == "play" else legal):
                continue
            place = self._place(state, play)
            name = self._name(seat)
            verdict = Verdict(False, "out-of-turn", say("It is {name}'s turn, not {other}'s.", name=self._name(state.turn),
                                                        other=name), {"seat": seat},
                              tuple(legal[:3]))
            breach = self._breach(state, before, place, play.laid, verdict, reading.tiles[place], 0.0, None)
            found.append(Breach(verdict, breach.supposed, say("{name} lays the {tile} out of turn.", name=name,
                                                              tile=play.tile), 0.0, None, seat,
                                breach.center, hand=seat))
        return found[:2]

    def _name(self, seat: int | None) -> str:
        return self.setting.names[seat] if seat is not None else say("Somebody")

    def words(self, state: State, action: Action) -> str:
        """As a player would say it."""
        assert isinstance(state, Line)
        name = self._name(state.turn)
        if isinstance(action, Play):
            if action.arm == "root":
                return say("{name} leads the {tile}.", name=name, tile=action.tile)
            return say("{name} plays the {tile} {where}; {open} is open there.", name=name, tile=action.tile,
                       where=state.where(action.arm), open=action.open)
        if isinstance(action, Draw):
            return say("{name} draws a tile.", name=name)
        if isinstance(action, Pass):
            return say("{name} passes.", name=name)
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
        if isinstance(action, Show):
            return say("{name} shows {tiles}.", name=self._name(action.seat), tiles=joined(action.tiles, ", "))
        if isinstance(action, Deal):
            return say("The tiles are dealt; {name} leads.", name=self._name(action.starter))
        return f"{name}: {action}."

    def step(self, difference: Difference, state: State) -> str:
        """One thing to do with the hands."""
        assert isinstance(state, Line)
        if difference.kind == "loose" and state.chance != "show" and Tile.of(*difference.seen) in state.unseen():
            return say("The {tile} lies open beside the line: turn it face down or take it back into the hand.",
                       tile=named(difference.seen))
        return to_do(difference, state, self.setting, lambda place: self._position(place, state))

    def _position(self, place: Place, state: Line) -> str:
        if place == ("root",):
            return say("in the middle of the line")
        back = len(dict(state.arms())[place[0]]) - place[1]
        if place[0] not in ("left", "right"):
            where = _where(place, state)
            return where if back <= 0 else say("{where}, number {place} from the end", where=where, place=back + 1)
        if back <= 0:
            return _where(place, state)
        return (say("in the left arm, number {place} from its end", place=back + 1) if place[0] == "left"
                else say("in the right arm, number {place} from its end", place=back + 1))  # fmt: skip


def _where(place: Place, state: Line) -> str:
    if place == ("root",):
        return say("in the middle")
    if place[0] not in ("left", "right"):
        return state.where(place[0])
    return say("at the left end") if place[0] == "left" else say("at the right end")


