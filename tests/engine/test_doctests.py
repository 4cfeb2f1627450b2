"""The examples in the engine's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import engine

FOLDER = Path(engine.__file__).parent
MODULES = sorted(".".join(("engine", *path.relative_to(FOLDER).with_suffix("").parts)) for path in FOLDER.rglob("*.py")
                 if path.name != "__init__.py" and ">>>" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    done = doctest.testmod(importlib.import_module(name))
    assert done.attempted and not done.failed
