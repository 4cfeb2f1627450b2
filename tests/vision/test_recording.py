"""Recordings: pictures come back as they were kept, and whatever is damaged is told in a sentence."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.frame import Frame, Image
from vision.sources.played import Played
from vision.sources.recording import (
    A_FRAME,
    AHEAD,
    BLOCK,
    EVENTS,
    FORMAT,
    OUTCOME,
    PICTURES,
    Patches,
    Recording,
    Writer,
    play_back,
)
from vision.sources.source import SourceError


def cloth(seed: int = 1, shape: tuple[int, int] = (200, 300)) -> Image:
    """Something with soft edges, as cameras see it."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 180, (shape[0] // 20, shape[1] // 20, 3)).astype(np.uint8)
    return np.asarray(np.kron(coarse, np.ones((20, 20, 1), np.uint8)), np.uint8)


def noisy(image: Image, seed: int) -> Image:
    grain = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def filmed() -> list[Frame]:
    """A still table, something that moves over it, and another camera at last."""
    frames = []
    for number in range(12):
        image = noisy(cloth(), number)
        if number >= 4:
            image[60:110, 20 * number : 20 * number + 40] = (20, 40, 200)
        frames.append(Frame(image, number / 10, 3 * number))
    return [*frames, Frame(cloth(2, (120, 160)), 1.2, 99)]


def recorded(folder: Path, outcome: dict[str, Any] | None = None) -> tuple[Path, list[Frame]]:
    writer = Writer(folder / "parts")
    writer.add({"measured": None})
    kept = [writer.frame(frame) for frame in filmed()]
    writer.save(folder / "evening.kibitz", outcome)
    return folder / "evening.kibitz", kept


def test_frames_come_back_exactly_as_they_were_kept_and_nearly_as_they_were(tmp_path: Path) -> None:
    path, kept = recorded(tmp_path)
    frames = [event for event in Recording(path).events() if isinstance(event, Frame)]
    assert [(frame.sequence, frame.time) for frame in frames] == [(frame.sequence, frame.time) for frame in filmed()]
    for frame, before, truly in zip(frames, kept, filmed(), strict=True):
        assert np.array_equal(frame.image, before.image)
        assert np.abs(frame.image.astype(int) - truly.image).mean() < 4
    assert list(Recording(path).events(pictures=False)) == [{"measured": None}]


def test_only_what_changed_is_kept_again() -> None:
    patches = Patches()
    image = cloth()
    whole, places = patches.keep(image)
    assert places is None and len(whole) > 1000
    assert patches.keep(noisy(image, 5)) == (b"", "")  # noise is no change
    image = image.copy()
    image[BLOCK + 4 : BLOCK + 20, 3 * BLOCK + 4 : 3 * BLOCK + 20] = 255
    part, places = patches.keep(image)
    assert places is not None and bin(int(places, 16)).count("1") == 1 and len(part) < len(whole) / 4
    again = Patches()
    again.put(whole, None, 300, 200)
    assert np.array_equal(again.put(part, places, 300, 200), patches.image)


def test_after_the_camera_was_pushed_all_is_kept_though_a_plain_table_looks_the_same() -> None:
    """Half a table where it was, and what lies on it elsewhere, is a picture that no camera takes."""
    table = noisy(np.full((192, 320, 3), 95, np.uint8), 6)
    table[32:64, 64:96] = 240
    pushed = np.roll(table, 12, axis=1)
    patches = Patches()
    patches.keep(table)
    assert patches.keep(pushed)[1] is None


def test_faint_pips_of_three_pixels_are_kept() -> None:
    """As a dark tile far from the camera shows them: another face under other patches would be a tile that nobody has."""
    patches = Patches()
    image = np.full((200, 300, 3), 95, np.uint8)
    patches.keep(image)
    for y, x in ((40, 104), (40, 112), (46, 108), (52, 104), (52, 112)):
        image[y : y + 3, x : x + 3] -= 35
    assert patches.keep(image)[1]


def test_a_view_that_changes_all_the_time_keeps_to_its_measure() -> None:
    patches = Patches()
    lamps = [noisy(cloth(3, (1080, 1920)) // 10 * bright, bright) for bright in (9, 10)]
    kept = [len(patches.keep(lamps[number % 2])[0]) for number in range(90)]
    assert 90 * min(kept[:5]) > 2 * (AHEAD + 90 * A_FRAME) > 2 * sum(kept) / 1.5


def test_a_recording_is_a_source_and_may_be_saved_while_it_goes_on(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "parts")
    for number, frame in enumerate(filmed(), 1):
        writer.frame(frame)
        if number % 4 == 0:
            writer.save(tmp_path / "so-far.kibitz")
            assert count(play_back(tmp_path / "so-far.kibitz")) == number


def count(source: Played) -> int:
    """How many frames there are in it."""
    assert not source.settled
    return len(list(iter(lambda: source.next(0), None)))


def test_what_it_leads_to_can_be_accepted(tmp_path: Path) -> None:
    path, _ = recorded(tmp_path)
    assert Recording(path).outcome is None
    for outcome in ({"journal": [1]}, {"journal": [2]}):
        Recording(path).accept(outcome)
        assert Recording(path).outcome == outcome
    assert sum(isinstance(event, Frame) for event in Recording(path).events()) == len(filmed())


def rewritten(path: Path, name: str, change: Callable[[bytes], bytes | None]) -> None:
    """One member of the archive otherwise, or left out."""
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for each, data in members.items():
            told = change(data) if each == name else data
            if told is not None:
                archive.writestr(each, told)


def event(**changed: Any) -> Callable[[bytes], bytes]:
    """The first frame told otherwise."""
    def change(data: bytes) -> bytes:
        lines = data.decode().splitlines()
        lines[1] = json.dumps(json.loads(lines[1]) | changed)
        return "\n".join(lines).encode()

    return change


ABOUTS: list[Any] = [b"", b"[]", b"{}", b"null", b"\xff\xfe", json.dumps({"format": 1}).encode(), b'{"format": 2}',
                     json.dumps({"format": FORMAT + 1, "settled": False, "observed": False}).encode(), b"[" * 100_000]
SPOILT: dict[str, Callable[[Path], object]] = {
    "no zip": lambda path: path.write_bytes(b"PK no zip"),
    "empty file": lambda path: path.write_bytes(b""),
    "empty zip": lambda path: zipfile.ZipFile(path, "w").close(),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-200]),
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a hole": lambda path: path.write_bytes(path.read_bytes()[:600] + b"\0" * 400 + path.read_bytes()[1000:]),
    "noise": lambda path: path.write_bytes(np.random.default_rng(1).bytes(5000)),
    "nothing": Path.unlink,
    "no events": lambda path: rewritten(path, EVENTS, lambda _: None),
    "no pictures": lambda path: rewritten(path, PICTURES, lambda _: None),
    "pictures of nothing": lambda path: rewritten(path, PICTURES, lambda _: b""),
    "pictures of noise": lambda path: rewritten(path, PICTURES, lambda data: data[:100] + b"\0" * (len(data) - 100)),
    "other pictures": lambda path: rewritten(path, PICTURES, lambda data: data[500:]),
    "events of noise": lambda path: rewritten(path, EVENTS, lambda data: data[:300] + b"\x80\x81" + data[300:]),
    "an event cut short": lambda path: rewritten(path, EVENTS, lambda data: data[:-10]),
    "events that are numbers": lambda path: rewritten(path, EVENTS, lambda data: b"7\n" + data),
    "events that are lists": lambda path: rewritten(path, EVENTS, lambda data: b"[1]\n" + data),
    "a deep event": lambda path: rewritten(path, EVENTS, lambda data: b"[" * 100_000 + b"\n" + data),
    "a huge picture": lambda path: rewritten(path, EVENTS, event(size=[100_000, 100_000])),
    "a picture of no size": lambda path: rewritten(path, EVENTS, event(size=[0, 0])),
    "a size of three": lambda path: rewritten(path, EVENTS, event(size=[1, 2, 3])),
    "another size": lambda path: rewritten(path, EVENTS, event(size=[320, 200])),
    "negative bytes": lambda path: rewritten(path, EVENTS, event(bytes=-4)),
    "bytes of words": lambda path: rewritten(path, EVENTS, event(bytes="many")),
    "too many bytes": lambda path: rewritten(path, EVENTS, event(bytes=10**12)),
    "patches of nothing": lambda path: rewritten(path, EVENTS, event(blocks="ffff")),
    "patches of words": lambda path: rewritten(path, EVENTS, event(blocks="where?")),
    "no time": lambda path: rewritten(path, EVENTS, event(time=None)),
    "no number": lambda path: rewritten(path, EVENTS, event(frame={})),
}


for at, about in enumerate(ABOUTS):
    SPOILT[f"about {at}"] = partial(rewritten, name="about.json", change=partial(lambda told, _: told, about))


@pytest.mark.parametrize("damage", SPOILT)
def test_a_damaged_recording_says_so_in_a_sentence(tmp_path: Path, damage: str) -> None:
    path, _ = recorded(tmp_path, {"journal": []})
    SPOILT[damage](path)
    with pytest.raises(SourceError) as told:
        list(Recording(path).events())
    assert str(path) in str(told.value) and "\n" not in str(told.value) and len(str(told.value)) < 400


def test_a_damaged_outcome_says_so(tmp_path: Path) -> None:
    path, _ = recorded(tmp_path, {"journal": []})
    rewritten(path, OUTCOME, lambda _: b"[]")
    with pytest.raises(SourceError, match="damaged"):
        _ = Recording(path).outcome
