"""What the README promises of each game is so."""

from __future__ import annotations

from pathlib import Path

from engine.games import GAMES
from referee.games import REFEREED, reader_for
from referee.readers.by_hand import ByHandReader
from referee.setting import Setting, seated
from webui.live.games import FACES

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_table_of_games_says_who_plays_and_what_a_camera_reads() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if line.startswith("| ")]
    told = {row[0]: row[1:] for row in rows if row[0] != "game"}
    assert list(told) == [kind.TITLE for kind in GAMES.values()] and set(REFEREED) == set(FACES) == set(GAMES)
    for name, kind in GAMES.items():
        seats, camera, hand = told[kind.TITLE]
        few, most = min(kind.SEATS), max(kind.SEATS)
        assert seats == (str(few) if few == most else f"{few} to {most}"), name
        setting = Setting(name, kind.Rules(), seated(tuple("ABCD"[:few])))
        assert camera.startswith("no") == isinstance(reader_for(setting), ByHandReader), name
        assert hand == "yes"  # tests/webui/test_by_hand.py plays them
