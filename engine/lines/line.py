"""What the four line games share: hands, boneyard, the line and its arms, drawing, passing, rounds and the match.

Block & Draw is this and nothing more; the other three say where they differ.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from engine.actions import MAYBE_TILE, TILES, Action, Show, number, pair, truth
from engine.core import UNKNOWN, Broken, Flags, Outcome, flag
from engine.hidden import FREE, Slots, shuffled, slots_from_json, slots_to_json, unseen
from engine.lines import belief, faults
from engine.lines.actions import DRAW, PASS, Deal, Draw, Pass, Play
from engine.lines.kit import Kit, rank
from engine.lines.reasons import reasons
from engine.lines.rounds import blocked_gains, domino_gains, identity
from engine.pictures import hand_lines
from engine.pieces import Tile
from engine.reasons import Reason
from engine.state import Doings, State, checked
from engine.words import say

Hands = tuple[tuple[Tile, ...], ...]
Arm = tuple[tuple[int, int], ...]
GOAL = 100


@dataclass(frozen=True)
class LineRules(Flags):
    """The flags that all four line games have."""

    blocked: str = flag("per_opponent", "sum_minus_own", "sum_all",
                        about="What the lowest hand earns when a round is blocked: its difference to each opponent, "
                              "the opponents' sum less its own, or the opponents' sum.")
    blocked_tie: str = flag("none", "each", about="Whether tied lowest hands of a blocked round score nothing or each.")
    no_double: str = flag("redeal", "highest_single", about="Without any double dealt: deal again, or lead the highest single.")
    next_start: str = flag("highest_double", "winner",
                           about="Who leads the next round: the highest double, or the winner any tile.")
    reserve: int = flag(0, 2, about="How many tiles stay in the boneyard and are never drawn.")
    peg_out: bool = flag(False, True, about="Whether the game ends with the very play that brings 100 points.")


class Line(State):
    """A table of one of the line games."""

    ACTIONS: ClassVar[tuple[type[Action], ...]] = (Play, Draw, Pass)
    CHANCE = (Deal, Show)
    LINE_FIELDS = ("hands", "boneyard", "root", "left_arm", "right_arm", "left", "right", "match", "points", "passes",
                   "leader", "ending", "hidden", "story")
    BELIEFS = ("story", "hidden")
    DOUBLES_COUNT: ClassVar[bool] = False
    """Whether it matters that an open end is a double."""
    side_arms: tuple[tuple[str, Arm], ...] = ()
    spinner: Tile | None = None
    pending: tuple[int, int] | None = None
    drawn: bool | None = False
    _told: tuple[Any, tuple[Slots, ...]] | None = None  # a story, and what it comes to

    kit: Kit
    hands: Hands
    boneyard: tuple[Tile, ...]  # next first
    root: Tile | None
    left_arm: Arm  # (inner, outer) ends, outward from the root
    right_arm: Arm
    left: int  # the number that is open on the left (0 where nothing is)
    right: int
    match: tuple[int, ...]
    points: tuple[int, ...]
    passes: int
    leader: int | None  # the seat that leads any tile, where the winner leads
    ending: str  # why the round is over: "domino" or "blocked"
    hidden: bool
    story: Any  # what was public about hidden tiles: (earlier, what, ...), newest first

    def _set_up(self) -> None:
        self.kit = self._make_kit()
        self.match = self.points = (0,) * self.players
        self.leader = None
        self.story = None
        self.hidden = False
        self._clear(((),) * self.players, ())

    @abstractmethod
    def _make_kit(self) -> Kit:
        """The set, the size of a hand, and what fits what."""

    def _clear(self, hands: Hands, boneyard: tuple[Tile, ...]) -> None:
        """An empty line."""
        self.hands, self.boneyard = hands, boneyard
        self.root = None
        self.left_arm = self.right_arm = ()
        self.left = self.right = self.passes = 0
        self.ending = ""

    # Playing.

    def legal(self) -> list[Action]:
        """Every legal action: a tile that fits must be played, else draw, else pass."""
        if self.hidden:
            return self._legal_hidden()
        phase = self.phase
        if phase == "play":
            table = self.kit.tables[self.left][self.right] or self.kit.build(self.left, self.right)
            moves: list[Action] = []
            for tile in self.hands[self.turn]:  # type: ignore[index]
                moves += table[tile]
            if moves:
                return moves
            return [DRAW] if len(self.boneyard) > self.rules.reserve else [PASS]
        if phase == "lead":
            return self.leads_of(self.hands[self.turn])  # type: ignore[index]
        return []

    def leads_of(self, tiles: Iterable[Tile]) -> list[Action]:
        """Every way to begin the line with one of these tiles."""
        leads = self.kit.leads
        if self.leader is not None:
            return [leads[tile] for tile in tiles]
        return [leads[max(tiles, key=rank)]]

    def plays_of(self, tiles: Iterable[Tile]) -> list[Action]:
        """Every way to lay one of these tiles on the line."""
        table = self.kit.tables[self.left][self.right] or self.kit.build(self.left, self.right)
        return [play for tile in tiles for play in table[tile]]

    def candidates(self, seat: int) -> list[Tile]:
        """The tiles that hidden slots of a hand may be."""
        slots = self.knowledge()[seat]
        return [tile for tile in self.unseen() if any(tile not in slot for slot in slots)]

    def _legal_hidden(self) -> list[Action]:
        """What may be legal as far as is known: with an unknown hand, all that no public fact rules out."""
        if self.turn is None or self.phase not in ("play", "lead"):
            return []
        hand = self.hands[self.turn]
        known = [tile for tile in hand if tile != UNKNOWN]
        blank = len(known) < len(hand)
        if self.phase == "lead":
            if not blank:
                return self.leads_of(hand)
            tiles = sorted({*known, *self.candidates(self.turn)})
            if self.leader is None and self.rules.no_double == "redeal":
                tiles = [tile for tile in tiles if tile.is_double]
            if self.leader is None and known:
                tiles = [tile for tile in tiles if rank(tile) >= max(map(rank, known))]
            return [self.kit.leads[tile] for tile in tiles]
        moves = self.plays_of(sorted({*known, *self.candidates(self.turn)}) if blank else known)
        return moves + self._otherwise(bool(self.plays_of(known)))

    def _otherwise(self, must_play: bool) -> list[Action]:
        """Drawing or passing, for a seat that is known to hold a tile that fits, or not known to."""
        if must_play:
            return []
        return [DRAW] if len(self.boneyard) > self.rules.reserve else [PASS]

    def _play(self, action: Play) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        hands = self.hands
        hand = hands[seat]
        tile = action.tile
        try:
            at = hand.index(tile)
        except ValueError:
            at = hand.index(UNKNOWN)
        hand = hand[:at] + hand[at + 1 :]
        self.hands = (*hands[:seat], hand, *hands[seat + 1 :])
        arm = action.arm
        if arm == "right":
            self.right_arm += (action.laid,)
            self.right = action.open  # type: ignore[assignment]
        elif arm == "left":
            self.left_arm += (action.laid,)
            self.left = action.open  # type: ignore[assignment]
        else:
            self._play_elsewhere(action)
        self.passes = 0
        if not hand:
            self.ending = "domino"
        self._played(action, seat)

    def _play_elsewhere(self, action: Play) -> None:
        """The first tile of the round."""
        tile = action.tile
        self.root = tile
        self.left = 0 if self.kit.one_arm else tile[0]
        self.right = tile[1]
        self.phase = "play"
        self.story = (self.story, "lead", self.turn, None if self.leader is not None else tile)

    def _played(self, action: Play, seat: int) -> None:
        """What follows a play: the story, and the next seat or the end of the round."""
        self.story = (self.story, "play", seat, action.tile)
        if self.ending:
            self._round_over()
        else:
            self.turn = (seat + 1) % self.players

    def _open_numbers(self) -> tuple[int, ...]:
        return (self.right,) if self.kit.one_arm else (self.left, self.right)

    def open_ends(self) -> list[tuple[str, int]]:
        """The open ends: arm and number."""
        return [("right", self.right)] if self.kit.one_arm else [("left", self.left), ("right", self.right)]

    def phases(self) -> tuple[str, ...]:
        """The phases that it goes through."""
        return "lead", "play", "deal", "show", "over"

    def _draw(self, action: Draw) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        self.story = (self.story, "draw", seat, self._open_numbers())
        self._take(seat)

    def _take(self, seat: int) -> None:
        hands, boneyard = self.hands, self.boneyard
        self.hands = (*hands[:seat], hands[seat] + boneyard[:1], *hands[seat + 1 :])
        self.boneyard = boneyard[1:]

    def _pass(self, action: Pass) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        self.story = (self.story, "pass", seat, self._open_numbers())
        self.passes += 1
        if self.passes == self.players:
            self.ending = "blocked"
            self._round_over()
        else:
            self.turn = (seat + 1) % self.players

    # Rounds.

    def _round_over(self) -> None:
        """Score the round, or wait until the hands are shown (Ending the game)."""
        self.turn = None
        if self.hidden and any(UNKNOWN in hand for hand in self.hands):
            self.phase = self.chance = "show"
            return
        pips = [sum(map(sum, hand)) for hand in self.hands]
        if self.ending == "domino":
            winners = [self.hands.index(())]
            gains = domino_gains(pips, winners[0], self._round_points, self._each_hand())
        else:
            winners, gains = blocked_gains(pips, self.rules, self._round_points, self._each_hand())
        winner = winners[0] if len(winners) == 1 else None
        self.leader = winner if self.rules.next_start == "winner" else None
        self.match = tuple(sum(parts) for parts in zip(self.match, self.points, gains, strict=True))
        self.points = (0,) * self.players
        best = max(self.match)
        if best >= GOAL and self.match.count(best) == 1:
            self._game_over(say("first to 100"))
        else:
            self.phase = self.chance = "deal"

    _round_points = staticmethod(identity)
    """How pips become points at the end of a round."""

    def _each_hand(self) -> bool:
        """Whether each hand is rounded by itself."""
        return False

    def _game_over(self, reason: str) -> None:
        best = max(self.match)
        winners = tuple(seat for seat, points in enumerate(self.match) if points == best)
        self.turn, self.phase, self.chance = None, "over", None
        self.result = Outcome(reason, winners, self.match)

    def picture(self) -> list[str]:
        """The line from left to right, what branches off it, the hands."""
        lines = []
        if self.root is not None:
            left = "".join(f"[{outer}|{inner}]" for inner, outer in reversed(self.left_arm))
            right = "".join(f"[{inner}|{outer}]" for inner, outer in self.right_arm)
            lines.append(f"{left}<{self.root.low}|{self.root.high}>{right}")
            lines += [f"  {name}: " + "".join(f"[{inner}|{outer}]" for inner, outer in arm) for name, arm in self.side_arms]
        return [*(lines or ["(no tile yet)"]), f"boneyard: {len(self.boneyard)}", *hand_lines(self)]

    def position(self) -> Hashable:
        """Without spinners the arms matter by their open ends alone, in some games also whether those are doubles."""
        if self.side_arms or getattr(self.rules, "spinner", "none") != "none":
            return super().position()
        arms = (self.right_arm,) if self.kit.one_arm else (self.left_arm, self.right_arm)
        ends = (self.right,) if self.kit.one_arm else (self.left, self.right)
        alone = not any(arms)
        tips = [] if self.ending else [(end, self.DOUBLES_COUNT and self._is_double(arm, end))
                                        for arm, end in zip(arms, ends, strict=True)]  # fmt: skip
        return (self.turn, self.phase, self.chance, self.hands, self.boneyard, tuple(sorted(tips)), self.root if alone else None,
                self.match, self.points, self.passes, self.leader, self.drawn, self.pending, self.ending)

    def _is_double(self, arm: Arm, end: int) -> bool:
        """Whether an open end is half of a double, its other half covered or the first tile's."""
        return arm[-1] == (end, end) if arm else any(each for _, each in self.arms()) and self.root == (end, end)

    def reasons(self, action: Action) -> Iterator[Reason]:
        """What it scores, whom it leaves without a play, what it leaves the own hand."""
        return reasons(self, action)

    def scores(self) -> tuple[int, ...]:
        """Points of earlier rounds and of this one."""
        return tuple(map(sum, zip(self.match, self.points, strict=True)))

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """Earlier rounds, and this round so far."""
        return [(say("earlier rounds"), self.match[seat]), (say("this round"), self.points[seat])]

    # Chance.

    def _deal(self, action: Deal) -> None:
        self._clear(action.hands, action.boneyard)
        self.turn, self.phase, self.chance = action.starter, "lead", None
        self.hidden = UNKNOWN in action.boneyard or any(UNKNOWN in hand for hand in action.hands)
        self.story = (None, "deal", tuple((FREE,) * len(hand) for hand in action.hands))

    def _show(self, action: Show) -> None:
        hand = list(self.hands[action.seat])
        for tile in action.tiles:
            hand[hand.index(UNKNOWN)] = tile
        self.hands = (*self.hands[: action.seat], tuple(hand), *self.hands[action.seat + 1 :])
        if self.chance == "show" and not any(UNKNOWN in each for each in self.hands):
            self.chance = None
            self._round_over()

    def random_chance(self, rng: Random) -> Action:
        """A deal in which somebody can lead, or the hands that may have been left."""
        if self.chance == "show":
            seat = next(seat for seat, hand in enumerate(self.hands) if UNKNOWN in hand)
            return Show(seat, self._missing(self.sample(rng), seat))
        size, dealt = self.kit.hand, self.kit.hand * self.players
        while True:  # without any double everybody deals again
            tiles = shuffled(self.kit.tiles, rng)
            hands = tuple(tuple(tiles[seat * size : (seat + 1) * size]) for seat in range(self.players))
            starter = self.starter_of(hands)
            if starter is not None:
                return Deal(hands, tuple(tiles[dealt:]), starter)

    def starter_of(self, hands: Hands) -> int | None:
        """Who leads these hands; None where they have to be dealt again (no double anywhere)."""
        if self.leader is not None:
            return self.leader
        best = [max(map(rank, hand)) for hand in hands]
        if self.rules.no_double == "redeal" and not max(best)[0]:
            return None
        return best.index(max(best))

    def _missing(self, other: State, seat: int) -> tuple[Tile, ...]:
        """The tiles that stand in another state's hand where this one has unknown ones."""
        assert isinstance(other, Line)
        return tuple(unseen(other.hands[seat], self.hands[seat]))

    def answer(self, other: State) -> Action:
        """Show the first hand that the other state does not know."""
        assert isinstance(other, Line)
        seat = next(seat for seat, hand in enumerate(other.hands) if UNKNOWN in hand)
        return Show(seat, other._missing(self, seat))

    def public(self, action: Action) -> Action:
        """A deal shows its counts and who leads; all else is seen."""
        if not isinstance(action, Deal):
            return action
        return Deal(tuple((UNKNOWN,) * len(hand) for hand in action.hands), (UNKNOWN,) * len(action.boneyard), action.starter)

    # Hidden hands.

    def project(self) -> Any:
        """The table with every hand and the boneyard face down."""
        return self._hide(range(self.players))

    def view(self, seat: int) -> Any:
        """The table as a seat knows it: its own hand open."""
        return self._hide(other for other in range(self.players) if other != seat)

    def _hide(self, seats: Iterable[int]) -> Any:
        other = self.copy()
        concealed = set(seats)
        other.hands = tuple((UNKNOWN,) * len(hand) if seat in concealed else hand for seat, hand in enumerate(self.hands))
        other.boneyard = (UNKNOWN,) * len(self.boneyard)
        other.hidden = True
        return other

    def knowledge(self) -> tuple[Slots, ...]:
        """For each seat and slot of its hand (oldest first), the tiles it cannot be by what was public."""
        if self._told is None or self._told[0] is not self.story:  # asked for every table that is drawn
            self._told = self.story, belief.knowledge(self)
        return self._told[1]

    def seen(self) -> list[Tile]:
        """Every tile whose place is known."""
        laid = [Tile.of(*ends) for _, arm in self.arms() for ends in arm]
        if self.root is not None:
            laid.append(self.root)
        return [tile for tiles in (*self.hands, self.boneyard, laid) for tile in tiles if tile != UNKNOWN]

    def unseen(self) -> list[Tile]:
        """The tiles of the set that this state knows nowhere."""
        return unseen(self.kit.tiles, self.seen())

    def arms(self) -> list[tuple[str, Arm]]:
        """The arms that the line may have, by name."""
        arms = [("right", self.right_arm), *self.side_arms]
        return arms if self.kit.one_arm else [("left", self.left_arm), *arms]

    def sides_of(self, place: str, tile: Tile) -> tuple[str, ...]:
        """The arms that a tile opens on its sides: none, where nothing is a spinner."""
        return ()

    def where(self, arm: str) -> str:
        """Where an arm goes on, in a player's words."""
        return say("on the left") if arm == "left" else say("on the right") if arm == "right" else say("on the {arm}", arm=arm)

    def sample(self, rng: Random) -> Any:
        """A full deal of the unseen tiles that nothing public contradicts."""
        return belief.sample(self, rng)

    def worlds(self, most: int) -> Any:
        """Every such deal, where they are few."""
        return belief.worlds(self, most)

    def settle(self) -> None:
        """What follows once all tiles are known."""
        if self.chance == "show":
            self.chance = None
            self._round_over()

    # Forms.

    def _exchange(self) -> dict[str, Any]:
        arms = {"left": self.left_arm, "right": self.right_arm}
        if self.kit.one_arm:
            del arms["left"]
        for name, arm in self.side_arms:
            arms[name] = arm
        return {
            "hands": [TILES.write(hand) for hand in self.hands],
            "boneyard": TILES.write(self.boneyard),
            "root": MAYBE_TILE.write(self.root),
            "arms": {name: [list(ends) for ends in arm] for name, arm in arms.items()},
            "spinner": MAYBE_TILE.write(self.spinner),
            "match": list(self.match),
            "points": list(self.points),
            "passes": self.passes,
            "drawn": "?" if self.drawn is None else self.drawn,
            "pending": None if self.pending is None else {"seat": self.pending[0], "points": self.pending[1]},
        }

    def _extra(self) -> dict[str, Any]:
        # After a blocked tie nobody leads any tile, and that too has to be said.
        return {"leader": [self.leader] if self.rules.next_start == "winner" else None, "ending": self.ending,
                "slots": slots_to_json(self.knowledge())}

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.hands = tuple(TILES.read(hand) for hand in data["hands"])
        self.boneyard = TILES.read(data["boneyard"])
        self.hidden = UNKNOWN in self.boneyard or any(UNKNOWN in hand for hand in self.hands)
        self.root = MAYBE_TILE.read(data["root"])
        arms = {name: tuple(pair(ends) for ends in arm) for name, arm in data["arms"].items()}
        self.left_arm = () if self.kit.one_arm else arms.pop("left")
        self.right_arm = arms.pop("right")
        self._fill_spinner(data["spinner"], arms)
        if self.root is not None:
            self.left = 0 if self.kit.one_arm else self.left_arm[-1][1] if self.left_arm else self.root[0]
            self.right = self.right_arm[-1][1] if self.right_arm else self.root[1]
        self.match = tuple(number(points) for points in data["match"])
        self.points = tuple(number(points) for points in data["points"])
        self.passes = number(data["passes"])
        checked(len(self.match) == len(self.points) == self.players, "match and points need one number per seat")
        checked(0 <= self.passes <= self.players, f"{self.passes} passes are too many")
        self._fill_turn(data, extra)
        self.leader = extra.get("leader", [None])[0]
        if self.phase == "lead" and "extra" not in data and self.rules.next_start == "winner" and any(self.match):
            self.leader = self.turn
        self.ending = extra.get("ending", "")
        counts = [len(hand) for hand in self.hands]
        self.story = (None, "deal", slots_from_json(extra.get("slots", []), counts))
        faults.check_table(self)

    def _fill_spinner(self, spinner: Any, arms: Mapping[str, Arm]) -> None:
        checked(spinner is None and not arms, "there is no spinner in this game")

    def _fill_turn(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        """What a game keeps about the turn: here nothing."""
        checked(truth(data["drawn"]) is False and data["pending"] is None, f"{self.game} has no such turn")

    def _broken(self, action: Any) -> Broken:
        return faults.broken(self, action)

    def _verify_chance(self, action: Any) -> Broken | None:
        return faults.broken_chance(self, action)

    _do: ClassVar[Doings] = {Play: _play, Draw: _draw, Pass: _pass, Deal: _deal, Show: _show}
