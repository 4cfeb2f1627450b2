"""The web app and its server: `create_app` wires pages, JSON interface and door together, `serve` runs it for a table."""

from __future__ import annotations

import mimetypes
import socket
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from referee.setting import Setting
from vision.photo_reader import PhotoReader
from vision.piece_sets import PieceSet
from vision.reader import Reader
from vision.sources.opening import open_source
from vision.sources.source import Source
from webui.addresses import Ways, asked_port, lan_addresses, machine_names, page_urls
from webui.api import MemoryRequest, api_error, register_api
from webui.cameras.pieces import PieceDesk
from webui.cameras.routes import register_cameras
from webui.cameras.stand import CameraStand
from webui.certificates import Certificates, local_certificates
from webui.delivery import STATIC, contents, register_delivery
from webui.desk import ReadingDesk, ReadsPhotos
from webui.door import Door, StrangeNameError, plain_name
from webui.languages import HERE, register_languages
from webui.live.keys import Keys
from webui.live.review import register_review
from webui.live.room import Room
from webui.live.routes import LiveDesk, register_live
from webui.live.running import RunningTable
from webui.live.why import register_why
from webui.pages import error_page, register_pages
from webui.server import DEFAULT_PORT, EVERYWHERE, Limits, Secure, TableServer, greeting, reachable_hosts

FILE_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What browsers insist on; some systems have these file types wrong or not at all."""


def create_app(
    reader: ReadsPhotos,
    *,
    allowed_hosts: Iterable[str] = (),
    own_names: Callable[[], Iterable[str]] = machine_names,
    lan_hosts: Callable[[], tuple[str, ...]] = lan_addresses,
    limits: Limits | None = None,
    ways: Ways | None = None,
    table: RunningTable | None = None,
    keys: Keys | None = None,
    stand: CameraStand | None = None,
    pieces: PieceDesk | None = None,
) -> Flask:
    """The Flask app around a reader.

    reader: has `read(image, tile_set) -> Reading`, callable from several threads.
    allowed_hosts: names this machine answers to beside its own (a router's name for it, a name in a hosts file).
    own_names: asks for this machine's names and addresses; lan_hosts: for those that others can reach. Both are
        arguments so that tests can say what machine it is.
    ways: the ports pages are served on, and the authority whose certificate the encrypted one shows.
    table: the game that is going on, with the keys of its seats; without it there are no pages about it.
    stand: the table's camera; without it there are no pages about one. pieces: where the players' own are shown to it.
    """
    limits = limits or Limits()
    ways = ways or Ways()
    for ending, file_type in FILE_TYPES.items():
        mimetypes.add_type(file_type, ending)
    app = Flask(__name__, static_url_path=f"/static/{contents(STATIC, HERE)}")
    app.request_class = MemoryRequest
    app.config["MAX_CONTENT_LENGTH"] = limits.upload_bytes
    register_languages(app)
    Door(own_names, allowed_hosts).guard(app)
    register_delivery(app)
    register_pages(app, lan_hosts, limits.upload_bytes, ways)
    desk = ReadingDesk(reader, at_once=limits.reads_at_once, waiting=limits.waiting)
    register_api(app, desk, limits.uploads)
    app.jinja_env.globals["has_table"] = table is not None
    app.jinja_env.globals["has_camera"] = stand is not None
    keys = keys or Keys()
    if stand is not None:
        register_cameras(app, stand, keys, table, lan_hosts, ways, pieces)
    if table is not None:
        live = LiveDesk(table, keys)
        register_live(app, live, lan_hosts, ways)
        register_why(app, live)
        register_review(app, live)
        app.extensions["live"] = live
        app.jinja_env.globals["who"] = live.who
        app.jinja_env.globals["begun"] = lambda: bool(table.moment().entries)

    @app.errorhandler(HTTPException)
    def explain(error: HTTPException) -> tuple[Response | str, int]:
        if request.path.startswith("/api/"):
            return api_error(error, limits.upload_bytes)
        if request.is_json or request.accept_mimetypes.best == "application/json":
            return jsonify({"error": error.description}), error.code or 500
        if isinstance(error, StrangeNameError):
            return error_page(error, page_urls(lan_hosts() or ("localhost",), ways.port or asked_port())[0])
        return error_page(error)

    return app


def serve(
    reader: Reader,
    *,
    host: str = EVERYWHERE,
    port: int = DEFAULT_PORT,
    allowed_hosts: Iterable[str] = (),
    limits: Limits | None = None,
    secure_port: int | None = None,
    home: Path,
    table: str = "table",
    setting: Setting | None = None,
    own: PieceSet | None = None,
    camera: str | None = None,
    record: bool = False,
    opening: Callable[[str], Source] = open_source,
    opened: Callable[[Room], None] = lambda room: None,
    tell: Callable[[str], None] = print,
) -> None:
    """Serve the pages until interrupted (Ctrl-C); prints the addresses and a QR code first.

    host: the address to listen on; 127.0.0.1 keeps the page to this machine. port: 0 takes any free one.
    secure_port: serve encrypted there as well. home: the folder of tables and certificates. table: which one; a game that
    was going on there goes on, else one of `setting` begins, and without it the address given leads to where one is chosen.
    own: the players' pieces, kept from now on; without them those that the table has. camera: as `vision.sources.opening`
    takes it, or `phone`. record: whether games that begin are recorded. opening: opens cameras. opened: is told of the
    table once it is followed.
    Raises OSError or SourceError, with a sentence, where a port is taken, the address is not ours, nothing can be kept,
    or there is no such camera.
    """
    limits = limits or Limits()
    lan_hosts = reachable_hosts(host)
    certificates = secure = None
    if secure_port is not None:
        certificates = own_certificates(home, [*machine_names(), *allowed_hosts])
        secure = Secure(certificates.server, certificates.key, secure_port)
    server = TableServer(host, port, limits, secure)
    with ExitStack() as closing:
        closing.callback(server.stop)
        room = Room(home / "tables" / table, reader, setting, opening, record, own)
        closing.callback(room.close)
        if room.shelf.said:
            tell(room.shelf.says)
        ways = Ways(server.port, server.secure_port, certificates.authority if certificates else None)
        app = create_app(
            PhotoReader(reader), allowed_hosts=allowed_hosts, lan_hosts=lan_hosts, limits=limits, ways=ways, table=room.table,
            keys=room.keys, stand=room.stand, pieces=room.pieces,
        )  # fmt: skip
        closing.callback(app.extensions["live"].closing.set)
        closing.enter_context(suppress(KeyboardInterrupt))
        reader.ready()
        room.open(camera)
        opened(room)
        chosen = setting is not None or room.table.moment().entries
        tell(greeting(lan_hosts(), server.port, server.secure_port, "table", "table" if chosen else "setup"))
        server.run(app)


def own_certificates(home: Path, names: Iterable[str]) -> Certificates:
    """This machine's certificates; OSError, with a sentence, where they cannot be kept."""
    machine = plain_name(socket.gethostname().partition(".")[0]) or "this-computer"
    try:
        return local_certificates(home / "certificates", machine, map(plain_name, names))
    except OSError as error:
        raise OSError(f"The certificate for the encrypted page cannot be kept in {home}: {error}") from error
