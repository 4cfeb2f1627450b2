"""The pages: counting and scores (one page), joining with another phone, the JSON interface explained, errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, render_template
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from engine.pieces import TILE_SETS
from engine.words import say
from webui.addresses import Ways, asked_port, page_urls, qr_svg
from webui.certificates import fingerprint
from webui.guide import BUYING, ERRING, LYING, MADE_UP, PLACING, PLAYING, games_laid
from webui.schema import ANY_SET, FIELDS, STATUSES, described
from webui.wire import ReadingForm, TileForm

SAMPLE = Path(__file__).parent / "static" / "sample.jpg"
"""The made-up picture a newcomer can try; the page offers it where the file is there."""


@dataclass(frozen=True, slots=True)
class SetChoice:
    """One line of the choice of sets: the value sent, the words shown, the highest end (None: any)."""

    value: str
    label: str
    highest: int | None


SET_WORDS = {"double-six": say("Double-six"), "double-nine": say("Double-nine"), "double-twelve": say("Double-twelve"),
             "double-fifteen": say("Double-fifteen")}  # fmt: skip
SET_LABELS = (
    SetChoice(ANY_SET, say("Any set"), None),
    *(SetChoice(name, SET_WORDS[name], tile_set.highest) for name, tile_set in TILE_SETS.items()),
)


def register_pages(app: Flask, lan_hosts: Callable[[], tuple[str, ...]], largest_upload: int, ways: Ways) -> None:
    """Add the pages to the app; `lan_hosts` says under which addresses others on the network reach it."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def start() -> str:
        return render_template(
            "start.html", sets=SET_LABELS, has_sample=SAMPLE.is_file(), largest_upload=largest_upload
        )

    @pages.get("/join")
    def join() -> str:
        urls = page_urls(lan_hosts(), ways.port or asked_port())
        return render_template("join.html", urls=urls, qr=Markup(qr_svg(urls[0])) if urls else None)

    @pages.get("/guide")
    def guide() -> str:
        return render_template("guide.html", buying=BUYING, placing=PLACING, playing=PLAYING, erring=ERRING, lying=LYING,
                               made_up=MADE_UP, games=games_laid())  # fmt: skip

    @pages.get("/secure")
    def secure() -> str:
        urls = page_urls(lan_hosts() or ("localhost",), ways.secure_port, "https") if ways.secure_port else []
        words = fingerprint(ways.authority) if ways.authority else ""
        return render_template("secure.html", urls=urls, fingerprint=words)

    @pages.get("/kibitz-authority.crt")
    def authority() -> Response:
        if ways.authority is None:
            abort(404)
        return Response(
            ways.authority.read_bytes(),
            mimetype="application/x-x509-ca-cert",
            headers={"Content-Disposition": 'attachment; filename="kibitz-authority.crt"'},
        )

    @pages.get("/api")
    def interface() -> str:
        return render_template(
            "api.html",
            fields=FIELDS,
            answer=described(ReadingForm),
            tile=described(TileForm),
            statuses=STATUSES,
            megabytes=largest_upload // 1_000_000,
        )

    app.register_blueprint(pages)


ERROR_WORDS = {
    403: say("Not through this door"),
    404: say("There is no such page"),
    405: say("This page only shows"),
    413: say("Too much at once"),
    500: say("Kibitz stumbled"),
}


def error_page(error: HTTPException, home: str | None = None) -> tuple[str, int]:
    """A failed request as a page that says what happened and leads on. home: the address to go to where this one has no pages."""
    code = error.code or 500
    sentence = error.description or ""
    if code == 404:
        sentence = say("The address may be mistyped, or the page has moved.")
    elif code == 500:
        sentence = say("That is a fault of Kibitz, not yours. What happened is written where it was started.")
    title = ERROR_WORDS.get(code, say("This did not work"))
    return render_template("error.html", title=title, sentence=sentence, home=home, refused=code == 403), code
