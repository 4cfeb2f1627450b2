"""What may have been done in Mexican Train, legal or not, given what the table shows; and how to say it."""

from __future__ import annotations

from engine.actions import Action
from engine.core import UNKNOWN
from engine.mexican_train.actions import PASS, Deal, Pass, Play
from engine.mexican_train.game import State
from engine.pieces import Tile
from engine.words import say
from referee.readers.hand_plays import HandPlays
from referee.reading import ILLEGAL, LESS, Breach, Ends, Expected, Place, Proposal, Reading


class MexicanTrainPlays(HandPlays):
    """Proposals, breaches and words; the reading itself stands in `mexican_train.py`."""

    @staticmethod
    def engine_of(state: State) -> Tile:
        """The double that lies in the middle, or has to for the next deal."""
        number = state.engine - (state.chance == "deal" and state.starter is not None)
        return Tile(number, number)

    def left_after_deal(self, state: State) -> int:
        """How many tiles the boneyard has when all hands are dealt."""
        return len(state.kit) - 1 - state.dealt * state.players

    @staticmethod
    def _next_places(state: State, reading: Reading) -> list[Place]:
        return [("train", train, len(line) + 1) for train, line in enumerate(state.trains)]

    @staticmethod
    def _play(place: Place, ends: Ends) -> Play:
        return Play(Tile.of(*ends), place[1])

    def _deals(self, state: State, reading: Reading) -> list[Proposal]:
        """The round begins with whoever lays the first tile, or draws before, or has to."""
        if ("engine",) not in reading.tiles or not (reading.drawn or any(place[0] == "train" for place in reading.tiles)):
            return []
        hands, rest = ((UNKNOWN,) * state.dealt,) * state.players, (UNKNOWN,) * self.left_after_deal(state)
        due = state.due_starter()
        return [Proposal(Deal(hands, rest, seat), hand=seat) for seat in ([due] if due is not None else range(state.players))]

    def breaches(self, state: State, reading: Reading) -> list[Breach]:
        """Tiles that do not fit, on trains that are closed, on none, out of turn, or that cannot be in the hand."""
        found, before = [], self.expected(state, reading)
        early = self._early(state, reading)
        for shown in self._shown_plays(state, reading):
            verdict, seat = state.verify(shown.play), state.turn
            if verdict and early is not None:
                verdict, seat = self._out_of_turn(state, early), early
            elif verdict or reading.tiles[shown.place].cost(shown.ends) >= ILLEGAL:
                continue
            words = say("{name} lays the {tile} on {train}.", name=self._name(seat), tile=shown.play.tile,
                        train=self._train(state, shown.play.train, seat))
            found.append(self._breach(reading, before, shown, verdict, words, seat))
        if len(reading.loose) == 1 and before.tiles.keys() <= reading.tiles.keys():  # else it may lie beyond what is not seen
            sight = reading.loose[0]
            verdict = state.verify(Play(Tile.of(*sight.ends), state.mexican + 1))
            words = say("{name} lays the {tile} on no train.", name=self._name(state.turn), tile=Tile.of(*sight.ends))
            supposed = Expected(before.tiles, before.counts, None, frozenset({sight.track}))
            found.append(Breach(verdict, supposed, words, LESS, None, state.turn, sight.center, hand=state.turn))
        return found

    @staticmethod
    def _early(state: State, reading: Reading) -> int | None:
        """The seat that has acted though another is to move. Who cannot play passes without a trace, and then the next is to
        move; the one after that is not, as long as there are tiles to draw first; nor has who passes played."""
        if len(came := reading.reached.came) != 1 or state.turn in came:
            return None
        (seat,), after = came, ((state.turn or 0) + 1) % state.players
        if state.last_pushed == PASS and seat == ((state.turn or 0) - 1) % state.players:
            return None
        return seat if PASS not in state.legal() or (state.boneyard and seat != after) else None

    def _train(self, state: State, train: int, mover: int | None) -> str:
        if train == state.mexican:
            return say("the Mexican train")
        return say("their own train") if train == mover else say("{name}'s train", name=self._name(train))

    def words(self, state: State, action: Action) -> str:
        """As a player would say it."""
        name = self._name(state.turn)
        match action:
            case Play(tile, train):
                values = {"name": name, "tile": tile, "train": self._train(state, train, state.turn)}
                if tile.is_double:
                    return say("{name} lays the {tile} on {train}, a double.", **values)
                return say("{name} lays the {tile} on {train}.", **values)
            case Pass() if not state.marked[state.turn or 0]:
                return say("{name} passes; a marker opens this train.", name=name)
            case Deal():
                return say("The {tile} is the engine; the tiles are dealt; {name} begins.", tile=self.engine_of(state),
                           name=self._name(action.starter))
        return super().words(state, action)

    def _position(self, place: Place, state: State) -> str:
        if place == ("engine",):
            return say("in the middle")
        if place[1] == state.mexican:
            return say("in the Mexican train, number {place} from its beginning", place=place[2])
        return say("in {name}'s train, number {place} from the engine", name=self._name(place[1]), place=place[2])
