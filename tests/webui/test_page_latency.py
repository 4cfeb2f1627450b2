"""A play comes to every phone that listens, and to the page."""

from __future__ import annotations

from pathlib import Path

from tests.webui.browsing import needs_chromium, open_chromium
from tests.webui.latency import plays_to_screens


@needs_chromium
def test_every_play_comes_to_eight_phones_and_is_painted(tmp_path: Path) -> None:
    browser = open_chromium(tmp_path / "chromium")
    try:
        times = plays_to_screens(browser, tmp_path, plays=3, phones=8)
    finally:
        browser.quit()
    assert len(times) == 3
    assert all(len(each.phones) == 8 and min(each.phones) > 0 and each.painted >= each.changed > 0 for each in times)
