"""What the README promises of each game is so."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import kibitz
from cli.guide import guide_document
from engine.games import GAMES
from referee.flags import SAID, flags_document
from referee.games import REFEREED
from webui.guide import games_laid
from webui.live.games import FACES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "models" / "README.md",
             *(file for file in sorted((ROOT / "docs").glob("*.md")) if file.name != "log.md")]  # that one is a log


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.name)
def test_every_command_option_and_file_that_a_document_names_is_there(file: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```$", "", file.read_text(encoding="utf-8"))
    written = [" ".join(each.split()) for each in re.findall(r"`([^`]+)`", text)] + re.findall(r"(?m)^    (\./run .*)", text)
    for words in written:
        if named := re.match(r"(?:kibitz|\./run) ([a-z][a-z-]*)([^#]*)", words):
            command = kibitz.main.commands[named[1]]
            known = {"--help", *(option for parameter in command.params for option in parameter.opts)}
            assert set(re.findall(r"(?<!\S)--[a-z-]+", named[2])) <= known, words
        elif re.fullmatch(r"(?:calibration|cli|docs|engine|models|referee|simulator|tests|trials|vision|webui)/[\w/.-]+", words):
            assert (ROOT / words).exists() or (ROOT / f"{words}.py").is_file(), words
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert all((file.parent / link).exists() for link in links), links


def test_the_guide_is_as_the_page_has_it() -> None:
    told = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    assert told == guide_document(), "run python -m cli.guide > docs/guide.md"
    assert {laid.title for laid in games_laid()} == {kind.TITLE for kind in GAMES.values()}
    assert all((ROOT / "docs" / file).is_file() for file in re.findall(r"\]\((\S+\.webp)\)", told))


def test_the_table_of_games_says_who_plays_and_what_a_camera_reads() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if line.startswith("| ")]
    told = {row[0]: row[1:] for row in rows if row[0] != "game"}
    assert list(told) == [kind.TITLE for kind in GAMES.values()] and set(REFEREED) == set(FACES) == set(GAMES)
    for name, kind in GAMES.items():
        seats, camera, hand = told[kind.TITLE]
        few, most = min(kind.SEATS), max(kind.SEATS)
        assert seats == (str(few) if few == most else f"{few} to {most}"), name
        assert camera == hand == "yes"  # tests/trials/test_told_trials.py and tests/webui/test_by_hand.py play them


def test_the_table_of_flags_says_what_a_camera_reads_by_which_rule() -> None:
    told = (ROOT / "docs" / "flags.md").read_text(encoding="utf-8")
    assert told == flags_document(), "run python -m referee.flags > docs/flags.md"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in told.splitlines() if line.startswith("| ")][1:]
    assert {row[0] for row in rows} == {name for name, kind in GAMES.items() if fields(kind.Rules)}
    assert {flag for flag, _ in SAID} <= {row[1] for row in rows}
