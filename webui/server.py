"""The server: waits on the local network, plainly and, where a certificate is given, encrypted on a second port.

One thread serves one connection at a time, and a page that listens for events holds its connection, so there are many
threads; they cost next to nothing while they wait.
"""

from __future__ import annotations

import errno
import ssl
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cheroot import wsgi
from cheroot.ssl.builtin import BuiltinSSLAdapter
from flask import Flask

from webui.addresses import lan_addresses, page_urls, qr_text

EVERYWHERE = "0.0.0.0"
"""Listen on every network card, so that phones can join."""

DEFAULT_PORT = 8000
DEFAULT_SECURE_PORT = 8443

IDLE_SECONDS = 20
"""A connection on which nothing comes or goes for so long is closed; the phone opens another."""

STOPPING_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one machine takes on at once.

    upload_bytes: the largest request; the page makes larger photos smaller before it sends them.
    reads_at_once: photos read together; the reader has its own threads, so one is quickest.
    waiting: photos that may stand in line; more are told to come back.
    connections: connections served together, on each port; most of them listen for events.
    """

    upload_bytes: int = 32_000_000
    reads_at_once: int = 1
    waiting: int = 4
    connections: int = 48

    @property
    def uploads(self) -> int:
        """Photos that may come in together: all of them must fit into memory."""
        return self.reads_at_once + self.waiting + 3


@dataclass(frozen=True, slots=True)
class Secure:
    """The way in that is encrypted: the certificate with its key (PEM files), and the port (0 takes any free one)."""

    certificate: Path
    key: Path
    port: int = DEFAULT_SECURE_PORT


class _Socket(ssl.SSLSocket):
    """A socket whose failed handshake is a lost connection: browsers hang up on a certificate they do not know yet."""

    def read(self, len: int = 1024, buffer: Any = None) -> Any:
        try:
            return super().read(len, buffer)
        except ssl.SSLError as error:
            raise ConnectionResetError(errno.ECONNRESET, str(error)) from error


class _Encryption(BuiltinSSLAdapter):
    """Shakes hands in the connection's own thread; Cheroot would let everybody wait for the slowest phone."""

    def __init__(self, secure: Secure) -> None:
        super().__init__(str(secure.certificate), str(secure.key))
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.sslsocket_class = _Socket

    def wrap(self, sock: Any) -> tuple[Any, dict[str, str]]:
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class TableServer:
    """Takes one port, or two, at once; `run` serves an app there until `stop` or Ctrl-C.

    Raises OSError, with a sentence, where a port is taken or the address is not ours.
    """

    def __init__(self, host: str, port: int, limits: Limits, secure: Secure | None = None) -> None:
        self._servers = [_listen(host, port, limits)]
        if secure is not None:
            try:
                self._servers.append(_listen(host, secure.port, limits, _Encryption(secure)))
            except OSError:
                self._servers[0].stop()
                raise

    @property
    def port(self) -> int:
        """Where pages are served plainly."""
        return int(self._servers[0].bind_addr[1])

    @property
    def secure_port(self) -> int | None:
        """Where they are served encrypted, if they are."""
        return int(self._servers[1].bind_addr[1]) if len(self._servers) > 1 else None

    def run(self, app: Flask) -> None:
        """Serve the app; returns after `stop`."""
        for server in self._servers:
            server.wsgi_app = app
        others = [threading.Thread(target=server.serve, daemon=True) for server in self._servers[1:]]
        for thread in others:
            thread.start()
        self._servers[0].serve()

    def stop(self) -> None:
        """Close every port and every connection; from any thread, and more than once."""
        for server in self._servers:
            server.stop()


def _listen(host: str, port: int, limits: Limits, encryption: _Encryption | None = None) -> Any:
    server: Any = wsgi.Server(
        (host, port),
        None,
        numthreads=limits.connections,
        server_name="kibitz",
        request_queue_size=64,
        timeout=IDLE_SECONDS,
        shutdown_timeout=STOPPING_SECONDS,
    )
    server.max_request_body_size = limits.upload_bytes
    server.max_request_header_size = 65_536
    server.keep_alive_conn_limit = None
    server.ssl_adapter = encryption
    server.error_log = _log
    try:
        _prepare(server)
    except OSError as error:
        reason = str(error).removeprefix("No socket could be created").strip(" -()") or str(error)
        raise OSError(
            f"Kibitz cannot listen on {host}, port {port} ({reason}): is another one running? Choose another port."
        ) from error
    return server


def _prepare(server: Any) -> None:
    """Take the port and start the workers as daemons, which they are by birth: none may keep the program from ending."""
    failed: list[OSError] = []

    def prepare() -> None:
        try:
            server.prepare()
        except OSError as error:
            failed.append(error)

    birth = threading.Thread(target=prepare, daemon=True)
    birth.start()
    birth.join()
    if failed:
        raise failed[0]


def _log(message: str = "", level: int = 20, traceback: bool = False) -> None:
    """Cheroot reports every lost phone; only faults of our own are worth a line."""
    if traceback:
        import traceback as trace

        sys.stderr.write(f"{message}\n{trace.format_exc()}")


def reachable_hosts(host: str) -> Callable[[], tuple[str, ...]]:
    """Under which addresses others reach a server that listens on `host`."""
    if host in (EVERYWHERE, "", "*"):
        return lan_addresses
    if host.startswith("127.") or host in ("localhost", "::1"):
        return tuple
    return lambda: (host,)


def greeting(hosts: Iterable[str], port: int, secure_port: int | None = None, page: str = "", here: str | None = None) -> str:
    """What is printed at the start: the addresses of a page, and a QR code of the first one that phones can reach. here: the
    page to open on this computer, if it is another."""
    hosts = tuple(hosts)
    own = page_urls(["localhost"], port, page=page if here is None else here)[0]
    lines = ["Kibitz is ready.", "", f"  On this computer:  {own}"]
    urls = page_urls(hosts, port, page=page)
    lines += [f"  On a phone:        {url}" for url in urls]
    if secure_port is not None:
        lines += [f"  Encrypted:         {url}" for url in page_urls(hosts or ("localhost",), secure_port, "https", page)]
        lines.append("                     (a phone warns about it the first time; the page /secure says why)")
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
