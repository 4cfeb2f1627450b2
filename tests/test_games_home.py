"""A game has one home in each room: whoever else wants to know something of it asks the registers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine.games import GAMES
from referee.games import REFEREED
from tests.conftest import ROOT
from webui.live.games import FACES

PACKAGES = {kind.__module__.split(".")[1] for kind in GAMES.values()}
HOMES = ("engine/games.py", "referee/readers/", "referee/dominoids_words.py", "simulator/staging/",
         *(f"engine/{package}/" for package in PACKAGES),
         *(f"{face.words.__module__.replace('.', '/')}.py" for face in FACES.values()))  # fmt: skip
ASKING = {"referee/photo_score.py": "euronimoes", "referee/decoder.py": "solo", "trials/story.py": "lines solo dominoids"}
"""Who asks for one kind of table beyond what the registers say: grids in photos, touched tiles, mirrored lines, like dice."""

ROOMS = ("engine", "referee", "webui", "cli", "trials", "simulator")
FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))
         if not path.relative_to(ROOT).as_posix().startswith(HOMES)]  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_that_is_no_home_of_a_game_does_not_import_one(path: Path) -> None:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("engine.") and name.split(".")[1] in PACKAGES}
    assert found <= set(ASKING.get(path.relative_to(ROOT).as_posix(), "").split())


def test_every_game_is_refereed_and_has_a_face() -> None:
    assert set(GAMES) == set(REFEREED) == set(FACES)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_says_what_it_is(name: str) -> None:
    kind = GAMES[name]
    assert kind.game == name and kind.TITLE and kind.NEARLY_WON > 0 and kind.FAR > 0 and kind.TRIES > 0
    assert kind().picture()
