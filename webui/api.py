"""The JSON interface: `POST /api/read` takes one photo and answers what lies in it (described by `webui.schema`)."""

from __future__ import annotations

import io
from threading import BoundedSemaphore
from typing import IO, NamedTuple

import msgspec
from flask import Blueprint, Flask, Request, Response, jsonify, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from engine.pieces import TILE_SETS, TileSet
from engine.words import say
from vision.photo import PhotoError
from webui.desk import DeskBusy, ReadingDesk
from webui.languages import asked_language, said
from webui.schema import ANY_SET, SCHEMA, SET_CHOICES
from webui.wire import ErrorForm, ReadingForm, reading_form

RETRY_AFTER_SECONDS = 2
LONGEST_NAME = 200
"""Of a photo's name so much is echoed."""


class MemoryRequest(Request):
    """A request whose uploaded photos stay in memory; Werkzeug would put larger ones into files on disk."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        return io.BytesIO()


class BadField(ValueError):
    """A form field that is missing or wrong; the text says which and what it may be."""


class Ask(NamedTuple):
    """What one request wants read."""

    name: str
    file: bytes
    tile_set: TileSet | None


def register_api(app: Flask, desk: ReadingDesk, uploads: int) -> None:
    """Add the JSON interface to the app; `desk` reads the photos, of which at most `uploads` come in together."""
    api = Blueprint("api", __name__, url_prefix="/api")
    coming_in = BoundedSemaphore(uploads)

    @api.post("/read")
    def read() -> Response | tuple[Response, int]:
        if not coming_in.acquire(blocking=False):
            return _busy("")
        try:
            ask = asked(request)
            result = desk.read(ask.file, ask.tile_set)
        except BadField as error:
            return _refusal(400, str(error))
        except PhotoError as error:
            return _refusal(422, str(error), ask.name)
        except DeskBusy:
            return _busy(ask.name)
        finally:
            coming_in.release()
        return _told(reading_form(ask.name, result.reading, result.milliseconds))

    @api.get("/schema.json")
    def schema() -> Response:
        return jsonify(SCHEMA)

    @api.after_request
    def not_kept(answer: Response) -> Response:
        answer.headers["Cache-Control"] = "no-store"
        return answer

    app.register_blueprint(api)


def asked(sent: Request) -> Ask:
    """What a request wants read; BadField where a field is missing or wrong."""
    photos = sent.files.getlist("photo")
    if len(photos) != 1:
        raise BadField(say("Send one photo in the form field 'photo'; {number} came.", number=len(photos)))
    name = (photos[0].filename or "photo")[:LONGEST_NAME]
    return Ask(name, photos[0].stream.read(), asked_set(sent.form.get("set", ANY_SET), sent.form.get("copies", "1")))


def asked_set(name: str, copies: str) -> TileSet | None:
    """The set with that name and number of copies, None for any; BadField for others."""
    if name not in SET_CHOICES:
        raise BadField(say("The set must be one of {sets}.", sets=", ".join(SET_CHOICES)))
    if copies not in ("1", "2"):
        raise BadField(say("The copies of the set must be 1 or 2."))
    if name == ANY_SET:
        return None
    return TILE_SETS[name] if copies == "1" else TILE_SETS[name].doubled


def api_error(error: HTTPException, largest_upload: int) -> tuple[Response, int]:
    """A failed request under /api as JSON with one sentence."""
    if isinstance(error, RequestEntityTooLarge):
        return _refusal(413, too_large(largest_upload))
    return _refusal(error.code or 500, error.description or say("This did not work."))


def too_large(largest_upload: int) -> str:
    """The sentence for a photo of too many bytes."""
    return say("The photo has more than {megabytes} MB: save it smaller, as JPEG.",
               megabytes=largest_upload // 1_000_000)


def _busy(photo: str) -> tuple[Response, int]:
    answer, status = _refusal(503, say("Other photos are being read: try again in a moment."), photo)
    answer.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return answer, status


def _refusal(status: int, sentence: str, photo: str = "") -> tuple[Response, int]:
    return _told(ErrorForm(photo=photo, error=said(sentence, asked_language()))), status


def _told(form: ReadingForm | ErrorForm) -> Response:
    return Response(msgspec.json.encode(form), mimetype="application/json")
