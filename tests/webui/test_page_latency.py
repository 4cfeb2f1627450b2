"""A play comes to every screen that is open."""

from __future__ import annotations

from pathlib import Path

from tests.webui.browsing import needs_chromium, open_chromium
from tests.webui.latency import plays_to_screens


@needs_chromium
def test_every_play_is_painted_on_every_screen(tmp_path: Path) -> None:
    browser = open_chromium(tmp_path / "chromium")
    try:
        times = plays_to_screens(browser, tmp_path, plays=3, clients=4)
    finally:
        browser.quit()
    assert len(times) == 3 and all(len(each) == 4 and min(each) > 0 for each in times)
