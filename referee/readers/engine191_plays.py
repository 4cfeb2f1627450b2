"""What may have been done in Engine 191, legal or not, given what the table shows; and how to say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

from engine.actions import Action
from engine.core import UNKNOWN, Verdict
from engine.engine191.actions import (
    DRAW,
    END,
    HAND,
    PASS,
    REMOVE,
    Bid,
    Deal,
    Draw,
    Play,
    Remove,
    Reveal,
    Shuffle,
    TurnUp,
)
from engine.engine191.game import State
from engine.pieces import Tile
from engine.words import listed, say
from referee.readers.boneyard import PASSING, Bones
from referee.readers.hand_plays import HandPlays
from referee.reading import CLEAR, LESS, Breach, Difference, Ends, Expected, Laid, Place, Proposal, Reading, Sight
from referee.setting import Point
from vision.degrees import PERHAPS, nats_against
from vision.plane import HALF_MM


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known of the table from the looks before. half: the side of half a tile. hub: the track of the main station.

    lay: every tile of the lines as it was last seen. named: the track that was last taken for each tile known to lie open.
    known: where those lay, by track, when it was first looked after the last action, `told`.
    still: the tracks of those that lie there yet. bids: as they were last shown, by seat, in the round that so many deals begin.
    """

    half: float = HALF_MM
    bones: Bones = field(default_factory=Bones)
    hub: int | None = None
    lay: Mapping[Place, Sight] = field(default_factory=dict)
    named: Mapping[Tile, int] = field(default_factory=dict)
    known: Mapping[int, Point] = field(default_factory=dict)
    told: Action | None = None
    still: frozenset[int] = frozenset()
    bids: Mapping[int, Sight] = field(default_factory=dict)
    deals: int = 0


class Engine191Plays(HandPlays):
    """Proposals, breaches and words; the reading itself stands in `engine191.py`."""

    def left_after_deal(self, state: State) -> int:
        """How many tiles the boneyard has when all hands are dealt."""
        return len(state.kit) - HAND[state.players] * state.players

    def proposals(self, state: State, reading: Reading) -> list[Proposal]:
        """The deal and the bids once bids lie open; then what lines, open tiles and the boneyard show."""
        if state.chance == "deal":
            return self._deals(state, reading)
        if state.chance == "reveal":
            return self._reveals(state, reading)
        if state.chance == "turn-up":
            able = self._turned_up(state, reading, ("new", "line", "open"))
            return [Proposal(TurnUp(tile), 0.0, cost) for tile, cost in able if state.verify(TurnUp(tile))]
        if state.chance == "shuffle":
            return [Proposal(Shuffle((UNKNOWN,) * len(state.scrap)))]
        if state.chance == "show":
            placed = {reading.tiles[place].track for place, laid in self.expected(state, reading).tiles.items()
                      if laid.ends is not None and place in reading.tiles}
            before = {seat: [sight for sight in sights if sight.track not in placed] for seat, sights in reading.hands.items()}
            return self._shows(state, before)
        if state.turn is None:
            return []
        if state.phase == "bid":
            return [Proposal(Bid(UNKNOWN))]
        return self._turn(state, reading)

    def _turn(self, state: State, reading: Reading) -> list[Proposal]:
        assert state.turn is not None
        found = [Proposal(play, 0.0, cost, state.turn, reading.tiles["line", play.line, len(state.lines[play.line]) + 1].center)
                 for play, cost in self._end_plays(state, reading) if state.verify(play)]
        line, legal = state.lines[state.turn], state.legal()
        if REMOVE in legal and ("line", state.turn, len(line)) not in reading.tiles:
            found.append(Proposal(REMOVE, hand=state.turn))
        if self._beyond(state, reading):  # a boneyard that is one short alone is miscounted: what is drawn is turned up
            able = (Proposal(DRAW, LESS, hand=state.turn), Proposal(END, LESS), Proposal(PASS, PASSING))
            found += [proposal for proposal in able if proposal.action in legal]
        return found

    def _beyond(self, state: State, reading: Reading) -> bool:
        """Whether the table shows more than this state, or less of a line."""
        known = self.expected(state, reading).tiles
        return any(place not in known for place in reading.tiles) or any(place not in reading.tiles for place in known)

    def _turned_up(self, state: State, reading: Reading, where: tuple[str, ...] = ("new",)) -> list[tuple[Tile, float]]:
        """What tiles may be that lie at such places and not yet in this state, likeliest first, each with the nats against it.
        They come into the yard of the seat to move: what lies open on the other side of the table is none.

        One that looks otherwise than what should lie there may be such a tile: what should lie there is turned over, perhaps.
        What has lain open all the time is none, though it be scrap that was turned over, as is supposed.
        """
        found: dict[Tile, float] = {}
        known, depth, seat = self.expected(state, reading).tiles, self.setting.depth, state.turn
        for place, sight in reading.tiles.items():
            due = known.get(place)
            known_there = due is not None and (due.ends is None or sight.cost(due.ends, True) < CLEAR)
            if place[0] not in where or known_there or (due is None and sight.track in self._noted(reading).still):
                continue
            if seat is not None and place[0] == "new" and depth(seat, sight.center) > depth(seat, self.setting.middle):
                continue
            for ends in sight.likely()[:12]:
                tile = Tile.of(*ends)
                cost = sight.cost(ends, True)
                found[tile] = min(found.get(tile, cost), cost)
        return sorted(found.items(), key=lambda each: each[1])

    def _end_plays(self, state: State, reading: Reading) -> list[tuple[Play, float]]:
        """Plays that the ends of the lines may show, legal or not, each with the nats against its reading.

        A tile from the yard is replaced by one that newly lies open; by an unknown one while none does.
        """
        assert state.turn is not None
        yard, plays = state.yards[state.turn], []
        replacements = [(tile, cost) for tile, cost in self._turned_up(state, reading) if tile not in yard][:4]
        for play, place, ends in self._shown_plays(state, reading, most=12):
            cost = reading.tiles[place].cost(ends)
            if play.tile in yard:
                plays += [(Play(play.tile, play.line, "yard", other), cost + more)
                          for other, more in replacements or [(UNKNOWN, 0.0)]]
            else:
                plays.append((play, cost))
        return plays

    @staticmethod
    def _next_places(state: State, reading: Reading) -> list[Place]:
        return [("line", seat, len(line) + 1) for seat, line in enumerate(state.lines)]

    @staticmethod
    def _play(place: Place, ends: Ends) -> Play:
        return Play(Tile.of(*ends), place[1], "hand", None)

    def _deals(self, state: State, reading: Reading) -> list[Proposal]:
        """All is dealt once the bids lie open, or the first of them is the main station."""
        if ("bid", 0) not in reading.tiles and ("hub",) not in reading.tiles:
            return []
        hands, rest = ((UNKNOWN,) * HAND[state.players],) * state.players, (UNKNOWN,) * self.left_after_deal(state)
        return [Proposal(Deal(hands, rest))]

    def _reveals(self, state: State, reading: Reading) -> list[Proposal]:
        """The bids as they lay open. One that nobody saw open is the main station: a blank's face may look like its back."""
        bids: list[list[tuple[Tile, float]]] = []
        for seat in range(state.players):
            sight = self._noted(reading).bids.get(seat) or reading.tiles.get(("hub",))
            if sight is None:
                return []
            bids.append([(Tile.of(*ends), sight.cost(ends, True)) for ends in sight.likely()[:3]])
        ways = [(Reveal(tuple(tile for tile, _ in way)), sum(cost for _, cost in way)) for way in product(*bids)]
        return [Proposal(reveal, cost) for reveal, cost in ways if state.verify(reveal)]

    def revokes(self, state: State, show: Action) -> list[str]:
        """Nothing here: under a strict obligation a draw is a warning at most (N10)."""
        return []

    def breaches(self, state: State, reading: Reading) -> list[Breach]:
        """Tiles at the ends of lines that may not lie there."""
        if state.phase == "bid":
            return []
        found, before = [], self.expected(state, reading)
        traceless = bool(state.pushed) and state.pushed[-1].kind in ("end", "pass")  # nobody can tell then who was to move
        others = () if traceless else sorted(reading.reached.came - {state.turn})
        for play, against in self._end_plays(state, reading):
            if against > CLEAR:  # it is sooner misread
                continue
            if not (verdict := state.verify(play)):
                found.append(self._wrong(state, reading, before, play, verdict, state.turn, against))
            for seat in others:
                if all(each.seat != seat for each in found):
                    early = nats_against(PERHAPS)  # of all plays that break a rule about one in five is out of turn
                    found.append(self._wrong(state, reading, before, play, self._out_of_turn(state, seat), seat, early))
        return found

    def _wrong(self, state: State, reading: Reading, before: Expected, play: Play, verdict: Verdict, seat: int | None,
               nats: float) -> Breach:
        place: Place = ("line", play.line, len(state.lines[play.line]) + 1)
        sight = reading.tiles[place]
        tiles = {**before.tiles, place: Laid(sight.ends)}
        if play.source == "yard":
            tiles.pop(("open", *play.tile), None)
            tiles |= {each: Laid(None) for each in reading.tiles if each[0] == "new"}
        words = say("{name} lays the {tile} on {line}.", name=self._name(seat), tile=play.tile,
                    line=self._line(play.line, seat))
        steps = ((say("{name}: put a tile from your hand into the yard, face up.", name=self._name(seat)),)
                 if verdict.rule == "replace" and play.replace == UNKNOWN else ())  # it may just not be done yet
        return Breach(verdict, Expected(tiles, before.counts), words, nats, play, seat, sight.center, bool(steps), steps, seat)

    def _line(self, line: int, mover: int | None) -> str:
        return say("their own line") if line == mover else say("{name}'s line", name=self._name(line))

    def words(self, state: State, action: Action) -> str:
        """As a player would say it."""
        name = self._name(state.turn)
        if isinstance(action, Play):
            where = self._line(action.line, state.turn)
            if action.source == "yard":
                return say("{name} plays the {tile} from the yard on {where}; the {replace} takes its place.", name=name,
                           tile=action.tile, where=where, replace=action.replace)
            return say("{name} plays the {tile} on {where}.", name=name, tile=action.tile, where=where)
        if isinstance(action, Reveal):
            doubles = [bid for bid in action.bids if bid.is_double]
            bids = listed(say("{name} bids the {tile}", name=self._name(seat), tile=bid) for seat, bid in enumerate(action.bids))
            if not doubles:
                return say("{bids}. Nobody has bid a double: all is dealt anew.", bids=bids)
            return say("{bids}. The {tile} becomes the main station.", bids=bids, tile=min(doubles))
        said: dict[type[Action], str] = {
            Bid: say("{name} puts a tile face down.", name=name), Draw: say("{name} draws a tile into the yard.", name=name),
            Remove: say("{name} removes track.", name=name), Deal: say("The tiles are dealt."),
            Shuffle: say("The scrap becomes the boneyard."),
        }  # fmt: skip
        if isinstance(action, TurnUp):
            return say("The {tile} is turned up.", tile=action.tile)
        return said.get(type(action)) or super().words(state, action)

    def step(self, difference: Difference, state: State) -> str:
        """One thing to do with the hands."""
        if difference.place[0] == "bid":
            return say("{name} turns up the tile that was bid.", name=self._name(difference.place[1]))
        return super().step(difference, state)

    def _position(self, place: Place, state: State) -> str:
        if place == ("hub",):
            return say("in the middle")
        if place[0] == "line":
            return say("in {name}'s line, number {place} from the main station", name=self._name(place[1]), place=place[2])
        return say("among the open tiles")
