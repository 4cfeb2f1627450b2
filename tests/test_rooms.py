"""The rooms of the house: who may import whom (the contracts stand in pyproject.toml)."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

ROOMS = ("engine", "calibration", "vision", "referee", "simulator", "trials", "webui", "models", "cli")
OUTSIDE_THE_TABLE = {"time", "datetime", "os", "pathlib", "io", "socket", "subprocess", "threading", "asyncio", "sqlite3"}


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports_command as c; c()"]
    return subprocess.run([*command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)


def test_no_room_imports_what_it_may_not() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("engine/bad.py", "import vision", "Nothing imports upwards"),
        ("vision/bad.py", "from webui import app", "Nothing imports upwards"),
        ("calibration/bad.py", "import engine.game", "Calibration knows the pieces"),
        ("vision/bad.py", "import engine.game", "Vision knows the pieces"),
        ("webui/bad.py", "import models", "Nothing imports upwards"),
        ("webui/bad.py", "import simulator", "What is served needs no made-up tables"),
        ("webui/bad.py", "import vision.table", "Pages show a session"),
        ("webui/bad.py", "import referee.readers", "Pages show a session"),
        ("models/bad.py", "import referee", "Models are made from"),
        ("simulator/fine.py", "import engine.game", ""),
        ("calibration/fine.py", "import engine.pieces", ""),
    ],
)
def test_a_wrong_import_is_noticed(tmp_path: Path, file: str, line: str, broken: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module in (*(f"{room}/__init__.py" for room in ROOMS), "engine/pieces.py", "engine/game.py", "webui/app.py",
                   "vision/table.py", "referee/readers.py", "referee/reading.py"):  # fmt: skip
        (tmp_path / module).parent.mkdir(exist_ok=True)
        (tmp_path / module).touch()
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).parent.joinpath("__init__.py").touch()
    (tmp_path / file).write_text(line + "\n")
    done = lint_imports(tmp_path)
    assert (done.returncode != 0) == bool(broken), done.stdout + done.stderr
    assert not broken or any(broken in line and "BROKEN" in line for line in done.stdout.splitlines())


def test_exactly_one_place_builds_the_way_from_frames_to_the_game() -> None:
    """What is measured is what is served: nobody else makes a watcher."""
    builders = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("TableWatcher", "PictureWatcher", "PieceWatch")
    }
    assert builders == {"referee/session.py"}


@pytest.mark.parametrize("path", sorted((ROOT / "engine").glob("**/*.py")), ids=lambda path: str(path.name))
def test_the_engine_needs_only_the_standard_library_and_no_outside_world(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {(node.module or "").partition(".")[0]}
        else:
            continue
        assert names <= {"engine", *sys.stdlib_module_names}, f"{path}: line {node.lineno}"
        assert not names & OUTSIDE_THE_TABLE, f"{path}: line {node.lineno}"
