"""From what a user writes to a source: `0`, `/dev/v4l/by-id/...`, `rtsp://...`, a video, a folder, a recording."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

import cv2

from engine.words import say
from vision.sources.device import Device
from vision.sources.live import Capture, LiveCamera
from vision.sources.played import folder, video
from vision.sources.recording import SUFFIX, play_back
from vision.sources.source import Source, SourceError

ON_LINUX = platform.system() == "Linux"
DEVICES = Path("/dev")
BY_ID = DEVICES / "v4l/by-id"
WANTED = (1920, 1080)
TIMEOUT_MS = 4000


def open_source(text: str) -> Source:
    """The source that the text names; SourceError with one sentence where there is none such."""
    if "://" in text:
        return LiveCamera(_opener(text, cv2.CAP_FFMPEG))
    if text.isascii() and text.isdigit() and len(text) < 4:
        if ON_LINUX and not (DEVICES / f"video{int(text)}").exists():
            raise SourceError(say("There is no camera {text}: is it plugged in?", text=text))
        return LiveCamera(_device(_stable(int(text))))
    path = _path(text)
    if path.is_dir():
        return folder(path)
    if path.is_relative_to(DEVICES) and path.exists():
        return LiveCamera(_device(path))
    if not path.exists():
        raise SourceError(say("There is no source {text}: name a camera (0, 1, ... or /dev/v4l/by-id/...), an address "
                              "(rtsp://, http://), a video, a folder of pictures, a recording, or simulated:block.", text=text))
    return play_back(path) if path.suffix == SUFFIX else video(path)


def _path(text: str) -> Path:
    try:
        path = Path(text).expanduser()
        path.exists()
    except (OSError, ValueError, RuntimeError) as error:  # longer than any name, with a zero in it, of a user there is not
        raise SourceError(f"{text[:60]!r} is no name of a file or folder: {error}.") from error
    return path


def _stable(index: int) -> Path | int:
    """A camera keeps its name in by-id when it is plugged in again; its number may go to another."""
    if BY_ID.is_dir():
        for link in sorted(BY_ID.iterdir()):
            if link.resolve() == Path(f"/dev/video{index}"):
                return link
    return index


def _device(which: Path | int) -> Callable[[], Capture]:
    def opened() -> Capture:
        name: str | int = which if isinstance(which, int) else str(which.resolve())
        capture = cv2.VideoCapture(name, cv2.CAP_V4L2 if ON_LINUX else cv2.CAP_ANY)
        if not capture.isOpened():
            raise OSError(say("no camera at {which}", which=which))
        # Motion JPEG: without it many cameras send 1080p at five frames a second only.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return Device(capture) if ON_LINUX else capture

    return opened


def _opener(address: str, backend: int) -> Callable[[], Capture]:
    def opened() -> Capture:
        capture = cv2.VideoCapture(address, backend, [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, TIMEOUT_MS,
                                                      cv2.CAP_PROP_READ_TIMEOUT_MSEC, TIMEOUT_MS])
        if not capture.isOpened():
            raise OSError(say("nothing answers at {address}", address=_without_password(address)))
        return capture

    return opened


def _without_password(address: str) -> str:
    """Addresses of cameras carry passwords, which belong in no message."""
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
