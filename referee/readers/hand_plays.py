"""What the games say alike in which tiles are laid from hidden hands and drawn from a boneyard: what was done, legal or not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from math import dist
from typing import Any, NamedTuple

from engine.actions import Action, Show
from engine.core import UNKNOWN, Verdict
from engine.pieces import Tile
from engine.state import State
from engine.words import joined, listed, say
from referee.readers.boneyard import PASSING
from referee.readers.follow import BLANK
from referee.readers.shown import first_shown, lacks, never_held
from referee.readers.words import named, put_right
from referee.reading import LESS, Breach, Difference, Ends, Expected, Laid, Place, Proposal, Reader, Reading, Sight
from vision.degrees import HARDLY, NEVER, nats_against
from vision.observation import SeenTile

NO_PLAY = {"draw": LESS, "pass": PASSING, "end": PASSING, "skip": LESS}
"""What a turn may have besides tiles laid, and the nats against each."""

ACROSS = "across"
"""Among a reading's faults: a tile lies across the line."""


class Shown(NamedTuple):
    """A play that a place of the table shows, and the ends that are read there, inner first. play: None where no play is such."""

    play: Any
    place: Place
    ends: Ends


class HandPlays(Reader):
    """Proposals and words that are alike in these games."""

    all_down = True

    @abstractmethod
    def left_after_deal(self, state: Any) -> int:
        """How many tiles the boneyard has when all hands are dealt."""

    def advice(self, state: Any, reading: Reading) -> list[str]:
        """Whether the boneyard holds what is left after the deal."""
        rest, seen = self.left_after_deal(state), reading.counts["boneyard"].value
        return [] if seen == rest else [_miscounted(rest, seen)]

    def _turn_up_blank(self, state: Any, up: dict[int, SeenTile], down: dict[int, SeenTile], blanks: Mapping[int, SeenTile],
                       memory: Any, half: float) -> frozenset[int]:
        """Move the double blank in a hand that is shown from `down` to `up`: the only tile without pips that came to lie there
        since the round is over. The tracks of those that lay there until then. blanks: face-down tiles as double blanks. half:
        the side of half a tile."""
        backs: frozenset[int] = memory.backs if state.phase == "show" else frozenset(down)
        came = [seen for track, seen in blanks.items() if track in down and track not in backs
                and all(dist(seen.center, place) > half for place in memory.bones.places)]
        if len(came) == 1 and BLANK in state.unseen() and lacks(state.hands, self.setting, up.values(), came[0]):
            up[came[0].track] = came[0]
            del down[came[0].track]
        return backs

    def _beyond(self, state: Any, reading: Reading) -> bool:
        """Whether the lines are longer than the state knows."""
        known = self.expected(state, reading).tiles
        return any(place not in known for place in reading.tiles)

    @staticmethod
    def _drawn(state: Any, reading: Reading) -> bool:
        """Whether the boneyard may have fewer tiles than it should."""
        boneyard = reading.counts.get("boneyard")
        return boneyard is not None and boneyard.value - len(boneyard.maybe) < len(state.boneyard)

    def proposals(self, state: Any, reading: Reading) -> list[Proposal]:
        """What may have been done that is legal: plays that the ends of the lines show, a draw where the boneyard lacks a tile,
        passes and the like where more was done than the state knows, and hands shown."""
        if state.chance == "deal":
            return self._deals(state, reading)
        if state.chance == "show":
            return self._shows(state, reading.hands)
        legal, drawn = state.legal(), self._drawn(state, reading)
        goes_on = drawn or self._beyond(state, reading) or len(reading.loose) > 1 or any(
            len(sights) == len(state.hands[seat]) for seat, sights in reading.hands.items())  # shown, as when a round is blocked
        able = set(legal)
        found = [Proposal(play, self._askew(Tile.of(*ends), place, reading), sight.cost(ends), state.turn, sight.center)
                 for place, sight in self._laid(state, reading) for ends in sight.possible()
                 if (play := self._play(place, ends)) in able]
        return found + [Proposal(each, NO_PLAY[each.kind], hand=state.turn if each.kind == "draw" else None) for each in legal
                        if each.kind in NO_PLAY and (drawn if each.kind == "draw" else goes_on)]

    @abstractmethod
    def _deals(self, state: Any, reading: Reading) -> list[Proposal]:
        """The deal, where the round has begun."""

    def _shown_plays(self, state: Any, reading: Reading, least: float = NEVER, most: int = 24) -> list[Shown]:
        """Plays that the next places of the lines may show, legal or not: at each so many that are likelier than `least`."""
        return [Shown(self._play(place, ends), place, ends) for place, sight in self._laid(state, reading)
                for ends in sight.likely(least)[:most]]

    def _laid(self, state: Any, reading: Reading) -> list[tuple[Place, Sight]]:
        """The open tiles at the next places of the lines."""
        sights = ((place, reading.tiles.get(place)) for place in self._next_places(state, reading))
        return [(place, sight) for place, sight in sights if sight is not None and sight.up]

    @abstractmethod
    def _next_places(self, state: Any, reading: Reading) -> list[Place]:
        """Where the next tile of every line lies."""

    @abstractmethod
    def _play(self, place: Place, ends: Ends) -> Action:
        """The play of a tile that lies at a place so."""

    @staticmethod
    def _shows(state: Any, before: Mapping[int, Sequence[Sight]]) -> list[Proposal]:
        """The first seat whose hand lies open in full. before: the open tiles before each seat."""
        ways = first_shown(state.hands, state.unseen(), lambda seat: before.get(seat, ()))
        return [Proposal(show, cost) for seat, tiles, cost in ways if state.verify(show := Show(seat, tiles))]

    def revokes(self, state: Any, show: Any) -> list[str]:
        """What tiles shown at a round's end prove: that the seat drew or passed while it held one that fitted (C9, H2)."""
        if not isinstance(show, Show):
            return []
        held = never_held(state.knowledge()[show.seat], state.hands[show.seat], show.tiles)
        return [say("{name} drew or passed although the {tiles} would have fitted.", name=self._name(show.seat),
                    tiles=listed(held, "or"))] if held else []

    @staticmethod
    def _askew(tile: Tile, place: Place, reading: Reading) -> float:
        """Nats against a tile for how it lies: across the line people lay doubles alone (but for one in a hundred and fifty)."""
        return nats_against(HARDLY) if reading.faults.get(place) == ACROSS and not tile.is_double else 0.0

    def _breach(self, reading: Reading, before: Expected, shown: Shown, verdict: Verdict, words: str, seat: int | None) -> Breach:
        """A tile that a seat has laid and may not. before: the table without it."""
        play, place, ends = shown
        supposed, cost = Expected({**before.tiles, place: Laid(ends)}, before.counts), self._askew(Tile.of(*ends), place, reading)
        return Breach(verdict, supposed, words, cost, play, seat, reading.tiles[place].center, hand=seat)

    @staticmethod
    def _is_over(state: Any) -> bool:
        """Whether the round is over, so that hands are laid open."""
        return state.chance == "show" or state.outcome() is not None

    @staticmethod
    def _unshown(state: Any) -> dict[int, int]:
        """How many tiles each seat has that has still to show them."""
        return {seat: len(hand) for seat, hand in enumerate(state.hands) if UNKNOWN in hand}

    def _laid_out(self, state: Any, tiles: Mapping[Place, Laid], out: str) -> Expected:
        """These tiles, and what lies hidden; out: how a round ends whose line is whole, as a hand went out."""
        counts = {"boneyard": len(state.boneyard)} | {f"hand {seat}": len(hand) for seat, hand in enumerate(state.hands)}
        over = self._is_over(state)
        return Expected(tiles, counts, self._unshown(state) if over else None, finished=over and state.ending == out)

    def words(self, state: Any, action: Action) -> str:
        """As a player would say what is done in all of these games."""
        name = self._name(state.turn)
        if isinstance(action, Show):
            return say("{name} shows {tiles}.", name=self._name(action.seat), tiles=joined(action.tiles, ", "))
        said = {"draw": say("{name} draws a tile.", name=name), "pass": say("{name} passes.", name=name),
                "end": say("{name} ends the turn.", name=name)}
        return said[action.kind]

    def step(self, difference: Difference, state: Any) -> str:
        """One thing to do with the hands."""
        place, seen = difference.place, difference.seen
        if state.chance == "show":  # the table was cleared before all hands were read: nobody has to lay a finished line again
            names = [name for name, hand in zip(self.setting.names, state.hands, strict=True) if UNKNOWN in hand]
            return say("The round is over, and its tiles lie otherwise by now: enter what {names} had left.", names=listed(names))
        if difference.kind == "count" and place == ("boneyard",):
            return _miscounted(len(state.boneyard), seen)
        if difference.kind == "count":
            return say("{name} should have {tiles} tiles.", name=self._name(int(place[0].split()[1])), tiles=difference.due)
        if difference.kind in ("missing", "wrong"):
            return put_right(difference, self._position(place, state))
        return say("Take the {tile} off the table.", tile=named(seen))

    @abstractmethod
    def _position(self, place: Place, state: Any) -> str:
        """A place in words, as "at the left end"."""

    def _out_of_turn(self, state: State, seat: int) -> Verdict:
        """That a seat has acted which is not to move."""
        sentence = say("It is {name}'s turn, not {other}'s.", name=self._name(state.turn), other=self._name(seat))
        return Verdict(False, "out-of-turn", sentence, {"seat": seat}, tuple(state.legal()[:3]))


def _miscounted(number: int, seen: int) -> str:
    """That other tiles lie in the boneyard than should; how many do, and how many are seen."""
    return say("The boneyard should have {number} tiles face down; {seen} are seen.", number=number, seen=seen)
