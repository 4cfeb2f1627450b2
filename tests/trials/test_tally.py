"""How sure the referee was, and whether it was right: counted by share, as a reliability diagram shows it."""

from __future__ import annotations

from referee.journal import Entry
from trials.tally import Tally, reliability, told_plays


def entry(number: int, kind: str, who: str, **data: object) -> Entry:
    """One of a journal."""
    return Entry(number, 0.0, kind, who, data)


def test_what_a_person_takes_back_or_changes_was_wrong() -> None:
    journal = [
        entry(1, "act", "camera", action="a", sure=0.99), entry(2, "act", "rules", action="pass"),
        entry(3, "act", "camera", action="b", sure=0.995), entry(4, "undo", "host", entries=[3]),
        entry(5, "act", "camera", action="c", sure=0.999), entry(6, "undo", "camera", entries=[5]),
        entry(7, "act", "camera", action="d", sure=1.0), entry(8, "edit", "host", entry=7, action="e"),
        entry(9, "act", "host", action="f"),
    ]  # fmt: skip
    assert told_plays(journal) == [(0.99, True), (0.995, False), (0.999, True), (1.0, False)]


def test_shares_are_counted_from_bin_to_bin() -> None:
    found = reliability([(0.5, True), (0.98, True), (0.985, False), (0.99, True), (1.0, True)])
    assert [each for each in found if each[1]] == [(0.0, 1, 1), (0.98, 2, 1), (0.99, 1, 1), (0.999, 1, 1)]
    assert sum(told for _, told, _ in found) == 5


def test_tallies_add_their_shares() -> None:
    total = Tally(shares=[(0.9, True)])
    total.add(Tally(shares=[(1.0, False)]))
    assert total.shares == [(0.9, True), (1.0, False)]
