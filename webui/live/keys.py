"""Who is asking: a seat, the host, the table's camera phone, or somebody who only looks on.

Each has a key, carried by a QR code; a browser that opened it once keeps it as a cookie that scripts cannot read. The
computer that runs Kibitz is the host without a key.
"""

from __future__ import annotations

import ipaddress
import json
import secrets
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path

from flask import Request

from engine.games import MOST_SEATS

COOKIE = "kibitz-key"
KEPT_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is asking. seat: whose private things may be shown. host: may set up the table. camera: may send pictures."""

    seat: int | None = None
    host: bool = False
    camera: bool = False

    @property
    def plays(self) -> bool:
        """Whether anything may be entered at all."""
        return self.host or self.seat is not None


class Keys:
    """The keys of one table, kept in a file so that a restart sends nobody away; None keeps them in memory."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        kept = self._read()
        self.host = kept.get("host") or _new()
        self.camera = kept.get("camera") or _new()
        self.seats = tuple(kept.get(f"seat{seat}") or _new() for seat in range(MOST_SEATS))
        self._write()

    def visitor(self, request: Request, players: int = MOST_SEATS) -> Visitor:
        """Who sent this request, at a table for so many."""
        key = request.cookies.get(COOKIE, "")
        key = key if key.isascii() else ""
        seat = next((seat for seat, known in enumerate(self.seats[:players]) if compare_digest(known, key)), None)
        is_host = compare_digest(self.host, key) or _from_this_machine(request)
        return Visitor(seat, is_host, compare_digest(self.camera, key) or is_host)

    def opens(self, key: str) -> str | None:
        """Which page a key is for (`table` or `camera`), None for a wrong one."""
        if not key.isascii():
            return None
        if any(compare_digest(known, key) for known in (self.host, *self.seats)):
            return "table"
        return "camera" if compare_digest(self.camera, key) else None

    def change(self) -> None:
        """New keys for everybody: whoever joined before has to join again."""
        self.host, self.camera = _new(), _new()
        self.seats = tuple(_new() for _ in range(MOST_SEATS))
        self._write()

    def _read(self) -> dict[str, str]:
        try:
            kept = json.loads(self._file.read_text()) if self._file else {}
        except (OSError, ValueError, RecursionError):
            return {}
        good = isinstance(kept, dict)
        return {name: key for name, key in kept.items() if isinstance(key, str) and key.isascii()} if good else {}

    def _write(self) -> None:
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        named = {"host": self.host, "camera": self.camera, **{f"seat{at}": key for at, key in enumerate(self.seats)}}
        beside = self._file.with_name(self._file.name + ".new")  # on a full disk those that were kept stay
        beside.touch(mode=0o600)
        beside.write_text(json.dumps(named))
        beside.replace(self._file)


def _new() -> str:
    return secrets.token_urlsafe(9)


def _from_this_machine(request: Request) -> bool:
    """Whether the browser runs on this very computer (the door has checked the name it asked for)."""
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
