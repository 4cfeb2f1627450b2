"""How answers travel: text is compressed, a file's address says what is in it so that browsers may keep it, and a picture
comes as large as it is shown.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
from flask import Flask, Response, render_template, request

STATIC = Path(__file__).parent / "static"
KEPT = "public, max-age=31536000, immutable"
TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
LEAST_BYTES = 500
"""Shorter answers fit into one packet anyway."""

WIDTHS = (160, 640)
"""Pixels that pictures of evidence may be asked for, for a list and for a card."""


def contents(*folders: Path) -> str:
    """A short name for all that is in some folders; another one when any file changes."""
    told = sha256()
    for folder in folders:
        for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            told.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return told.hexdigest()[:12]


def register_delivery(app: Flask) -> None:
    """Compress and keep what can be, and serve the worker that opens pages without a network."""

    @app.get("/worker.js")
    def worker() -> Response:
        """From the top, so that it may answer for every page. It names the files, so new ones bring a new worker."""
        script = f'const FILES = "{app.static_url_path}";\n' + (STATIC / "js" / "worker.js").read_text(encoding="utf-8")
        return Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})

    @app.get("/offline")
    def offline() -> str:
        return render_template("offline.html")

    @app.after_request
    def deliver(answer: Response) -> Response:
        if request.path.startswith(f"{app.static_url_path}/") and answer.status_code == 200:
            answer.headers["Cache-Control"] = KEPT
        return compressed(answer)


def takes_gzip() -> bool:
    """Whether the browser that asks understands it."""
    return bool(request.accept_encodings["gzip"])


def compressed(answer: Response) -> Response:
    """The same answer, smaller where it is text; streams are left alone."""
    kind = answer.mimetype or ""
    if not kind.startswith(TEXTS) or kind == "text/event-stream" or answer.status_code != 200 or not takes_gzip():
        return answer
    answer.direct_passthrough = False
    data = answer.get_data()
    if len(data) >= LEAST_BYTES:
        answer.set_data(_zipped(data))
        answer.headers["Content-Encoding"] = "gzip"
        if (tag := answer.get_etag()[0]) is not None:
            answer.set_etag(tag, weak=True)  # the same, in other bytes
        answer.vary.add("Accept-Encoding")
    return answer


@lru_cache(256)
def _zipped(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def compressed_events(events: Iterable[str]) -> Iterator[bytes]:
    """Events as one compressed stream, each complete as soon as it is sent."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    for event in events:
        yield packer.compress(event.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)


@lru_cache(256)
def narrower(jpeg: bytes, width: int) -> bytes:
    """A picture (JPEG) that is at most so many pixels wide."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None or image.shape[1] <= width:
        return jpeg
    size = width, round(image.shape[0] * width / image.shape[1])
    return bytes(cv2.imencode(".jpg", cv2.resize(image, size, interpolation=cv2.INTER_AREA))[1])
