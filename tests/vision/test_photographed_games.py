"""Photographed games, one picture a move: every tile that was laid is noticed with both its ends, and no other face.

Backs come and go: they lie in a heap from which players draw, and each of them that is taken uncovers others.
"""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import kibitz

TOLD_LATE = {23: [4, 5]}
"""Tiles that lay there at the start of a game, as the photographs show, and were noticed a few pictures later."""


@pytest.fixture(scope="module")
def lines(photos: Path) -> list[dict[str, object]]:
    if not (photos / "ddd_frames").is_dir():
        pytest.skip("no photographed games")
    result = CliRunner().invoke(kibitz.main, ["watch", str(photos / "ddd_frames"), "--json"])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_new_tiles_are_noticed_with_both_ends_and_none_is_invented(lines: list[dict[str, object]], photos: Path) -> None:
    with (photos / "ddd_moves.csv").open(newline="") as file:
        moves = list(csv.DictReader(file))
    told: dict[int, list[list[int]]] = {}
    for line in lines:
        appeared = line["appeared"]
        assert isinstance(appeared, list) and isinstance(line["frame"], int)
        told.setdefault(line["frame"], []).extend(sorted(each["ends"]) for each in appeared if each["ends"])
    right = invented = 0
    for number, move in enumerate(moves):
        if move["move"] == "1":
            continue  # the table at the start of a game
        laid = sorted((int(move["pips_a"]), int(move["pips_b"])))
        seen = told.get(number, [])
        right += laid in seen
        invented += sum(each not in (laid, TOLD_LATE.get(number)) for each in seen)
    assert right >= 37 and invented == 0, (right, invented)
