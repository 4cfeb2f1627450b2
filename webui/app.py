"""The web app and its server: `create_app` wires pages, JSON interface and door together, `serve` runs it for a table."""

from __future__ import annotations

import mimetypes
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import waitress
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from webui.addresses import lan_addresses, machine_names, page_urls, qr_text
from webui.api import MemoryRequest, api_error, register_api
from webui.desk import PhotoReader, ReadingDesk
from webui.door import Door
from webui.pages import error_page, register_pages

EVERYWHERE = "0.0.0.0"
"""Listen on every network card, so that phones can join."""

DEFAULT_PORT = 8000

FILE_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What browsers insist on; some systems have these file types wrong or not at all."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one machine takes on at once.

    upload_bytes: the largest request; the page makes larger photos smaller before it sends them.
    reads_at_once: photos read together; the reader has its own threads, so one is quickest.
    waiting: photos that may stand in line; more are told to come back.
    connections: open connections; all their uploads together must fit into memory.
    """

    upload_bytes: int = 32_000_000
    reads_at_once: int = 1
    waiting: int = 4
    connections: int = 32

    @property
    def threads(self) -> int:
        """Enough that pages are served while every place at the reading desk is taken."""
        return self.reads_at_once + self.waiting + 3


def create_app(
    reader: PhotoReader,
    *,
    allowed_hosts: Iterable[str] = (),
    own_names: Callable[[], Iterable[str]] = machine_names,
    lan_hosts: Callable[[], tuple[str, ...]] = lan_addresses,
    limits: Limits | None = None,
) -> Flask:
    """The Flask app around a reader.

    reader: has `read(image, tile_set) -> Reading`, callable from several threads.
    allowed_hosts: names this machine answers to beside its own (a router's name for it, a name in a hosts file).
    own_names: asks for this machine's names and addresses; lan_hosts: for those that others can reach. Both are
        arguments so that tests can say what machine it is.
    """
    limits = limits or Limits()
    for ending, file_type in FILE_TYPES.items():
        mimetypes.add_type(file_type, ending)
    app = Flask(__name__)
    app.request_class = MemoryRequest
    app.config["MAX_CONTENT_LENGTH"] = limits.upload_bytes
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    Door(own_names, allowed_hosts).guard(app)
    register_pages(app, lan_hosts, limits.upload_bytes)
    register_api(app, ReadingDesk(reader, at_once=limits.reads_at_once, waiting=limits.waiting))

    @app.errorhandler(HTTPException)
    def explain(error: HTTPException) -> tuple[Response | str, int]:
        if request.path.startswith("/api/"):
            return api_error(error, limits.upload_bytes)
        return error_page(error)

    return app


def serve(
    reader: PhotoReader,
    *,
    host: str = EVERYWHERE,
    port: int = DEFAULT_PORT,
    allowed_hosts: Iterable[str] = (),
    limits: Limits | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the pages until interrupted (Ctrl-C); prints the addresses and a QR code first.

    host: the address to listen on; 127.0.0.1 keeps the page to this machine. port: 0 takes any free one.
    Raises OSError, with a sentence, where the port is taken or the address is not ours.
    """
    limits = limits or Limits()
    lan_hosts = _reachable_hosts(host)
    app = create_app(reader, allowed_hosts=allowed_hosts, lan_hosts=lan_hosts, limits=limits)
    try:
        server = waitress.create_server(
            app,
            host=host,
            port=port,
            threads=limits.threads,
            connection_limit=limits.connections,
            max_request_body_size=limits.upload_bytes,
            inbuf_overflow=limits.upload_bytes + 1,  # an upload stays in memory: no photo is written to disk
            ident="kibitz",
        )
    except OSError as error:
        raise OSError(
            f"Kibitz cannot listen on {host}, port {port} ({error.strerror or error}): "
            "is another one running? Choose another port."
        ) from error
    say(greeting(lan_hosts(), int(server.effective_port)))
    try:
        server.run()
    finally:
        server.close()


def greeting(hosts: Iterable[str], port: int) -> str:
    """What is printed at the start: the addresses, and a QR code of the first one that phones can reach."""
    lines = ["Kibitz is ready.", "", f"  On this computer:  {page_urls(['localhost'], port)[0]}"]
    urls = page_urls(hosts, port)
    lines += [f"  On a phone:        {url}" for url in urls]
    if urls and _can_print_blocks():
        lines += ["", "  Point a phone on the same Wi-Fi at this:", "", qr_text(urls[0])]
    lines += ["", "Stop with Ctrl-C."]
    return "\n".join(lines)


def _can_print_blocks() -> bool:
    """Whether the terminal's encoding has the block characters of the QR code."""
    try:
        "\u2580\u2584\u2588".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _reachable_hosts(host: str) -> Callable[[], tuple[str, ...]]:
    """Under which addresses others reach a server that listens on `host`."""
    if host in (EVERYWHERE, "", "*"):
        return lan_addresses
    if host.startswith("127.") or host in ("localhost", "::1"):
        return tuple
    return lambda: (host,)
