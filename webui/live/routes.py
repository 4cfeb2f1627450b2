"""The table page's addresses: the page, its events, what can be done, pictures, and the way in with a key."""

from __future__ import annotations

import json
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import lru_cache
from io import BytesIO
from typing import Any

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    jsonify,
    redirect,
    render_template,
    request,
    send_file,
    stream_with_context,
    url_for,
)
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from engine.actions import action_from_text
from engine.core import IllegalError
from engine.pieces import Tile
from engine.state import State
from engine.words import say
from webui.addresses import Ways, asked_port, page_urls, qr_svg
from webui.delivery import WIDTHS, compressed_events, narrower, takes_gzip
from webui.languages import asked_language, told
from webui.live.form import entry_form, history, places, table_form, tile_of
from webui.live.games import FACES
from webui.live.hints import Adviser
from webui.live.judged import Judge
from webui.live.keys import COOKIE, KEPT_SECONDS, Keys, Visitor
from webui.live.running import (
    HOST,
    Accept,
    Deed,
    Do,
    Edit,
    Entry,
    Moment,
    Refused,
    Reply,
    RunningTable,
    Stale,
    Tell,
    Undo,
    View,
)
from webui.live.told import anew, chance_action, halves_of, hand_of, otherwise
from webui.sent import (
    AcceptSent,
    ActionSent,
    ChanceSent,
    DeedSent,
    EditSent,
    HandSent,
    Known,
    ReplySent,
    UndoSent,
    read,
)

HEALTH_SECONDS = 0.4
"""How often a page is told how well the camera sees; its buttons are dead when it has heard nothing for twice as long."""

REMEMBERED = 500
"""So many refusals are kept, so that a deed that is sent twice is answered once and for all; what was done the table knows."""

NOTHING_KEPT = {"Cache-Control": "no-store"}


class LiveDesk:
    """Between the running table and its pages: private hands, and answers already given."""

    def __init__(self, table: RunningTable, keys: Keys) -> None:
        self.table, self.keys = table, keys
        self.adviser, self.judge = Adviser(table), Judge()
        self._refused: OrderedDict[str, tuple[dict[str, Any], int]] = OrderedDict()
        self._one_at_a_time = threading.Lock()
        self._writing = threading.Lock()
        self._texts: dict[int, dict[tuple[Visitor, str], str]] = {}
        self.closing = threading.Event()

    def visitor(self) -> Visitor:
        """Who asks."""
        return self._now()[1]

    def _now(self) -> tuple[Moment, Visitor]:
        """The table, and who asks: a seat only for as long as its key is good and the game has it."""
        moment = self.table.moment()
        return moment, self.keys.visitor(request, moment.state.players)

    def form(self) -> dict[str, Any]:
        """The snapshot for whoever asks."""
        moment, visitor = self._now()
        return self._form(moment, visitor) | {"history": [entry_form(entry) for entry in history(moment)]}

    def _form(self, moment: Moment, visitor: Visitor) -> dict[str, Any]:
        hand = self.table.hand(visitor.seat) if visitor.seat is not None else ()
        seen = {"plays": visitor.plays, "host": visitor.host, "camera": self.table.view() is not None}
        return table_form(moment, visitor.seat, hand) | seen

    def who(self) -> str:
        """Who asks, as the page says it; empty for somebody who only looks on."""
        asking = self.visitor()
        if asking.seat is not None:
            return self.table.moment().setting.names[asking.seat]
        return say("the host") if asking.host else ""

    def _written(self, moment: Moment, visitor: Visitor, language: str) -> str:
        """A snapshot as text but for the history, written once for all who see the same."""
        with self._writing:
            if moment.version not in self._texts:
                self._texts = {moment.version: {}}
            texts = self._texts[moment.version]
            if (visitor, language) not in texts:
                texts[visitor, language] = _text(self._form(moment, visitor), language)
            return texts[visitor, language]

    def events(self, language: str) -> Iterator[str]:
        """Server-sent events: a snapshot at once and after every change, and how the camera sees every second. What stood in
        the history of an earlier snapshot is not told again."""
        shown: tuple[int, Visitor] | None = None
        before: dict[int, Entry] = {}
        heard = -math.inf
        while not self.closing.is_set():
            moment, visitor = self._now()
            if (moment.version, visitor) != shown:
                shown, entries = (moment.version, visitor), {entry.number: entry for entry in history(moment)}
                text = self._written(moment, visitor, language)
                gone = before.keys() - entries.keys()
                more = bool(before) and max(gone, default=-1) < min(entries, default=0)  # else it is another game's
                news = [entry for number, entry in entries.items() if not more or before.get(number) != entry]
                before = entries
                lines = ",".join(_entry_text(entry, language) for entry in news)
                rest = f'"now":{time.time():.1f},"more":{json.dumps(more)},"history":[{lines}]'
                yield f"event: table\nid: {moment.version}\ndata: {text[:-1]},{rest}}}\n\n"
            if time.monotonic() - heard >= HEALTH_SECONDS * 0.9:
                heard = time.monotonic()
                yield f"event: health\ndata: {json.dumps(told(health(self.table.view()), language))}\n\n"
            self.table.wait(moment.version, HEALTH_SECONDS)

    def do(self, visitor: Visitor) -> tuple[dict[str, Any], int]:
        """Do what a page sent, once; what to answer, and the status. What was sent before is answered as it was then."""
        name = read(Known).id
        with self._one_at_a_time:
            if (version := self.table.done(name)) is not None:
                return {"version": version}, 200
            if name not in self._refused:
                answer, status = self._do(visitor, read(DeedSent))  # type: ignore[arg-type]
                if status == 200:
                    return answer, status
                self._refused[name] = answer, status
                if len(self._refused) > REMEMBERED:
                    self._refused.popitem(last=False)
            return self._refused[name]

    def _do(self, visitor: Visitor, sent: DeedSent) -> tuple[dict[str, Any], int]:
        moment = self.table.moment()
        who = HOST if visitor.seat is None else moment.setting.names[visitor.seat]
        calling = sent.seat if isinstance(sent, ActionSent) else None
        if calling is not None and (calling >= moment.state.players or visitor.seat not in (None, calling)):
            return {"error": say("Every seat calls its own points.")}, 422
        try:
            if not self.table.is_current(sent.version):
                raise Stale  # what it means has to be understood by the table that it answers
            version = self.table.do(sent.version, who, deed_of(sent, moment.state, self.table.before), sent.id)
        except Stale:
            return {"error": say("The table has changed meanwhile. Please look again.")}, 409
        except IllegalError as error:
            return {"error": error.verdict.sentence, "rule": error.verdict.rule}, 422
        except ValueError as error:  # what no such game has, what fits several actions, and what the table refuses
            return {"error": str(error)}, 422
        return {"version": version}, 200

    def tell(self, seat: int, sent: HandSent) -> None:
        """Take what a seat tells of its hand, once; ValueError for what is no tile and what the table refuses."""
        if sent.id is None or self.table.done(sent.id) is None:
            moment = self.table.moment()
            self.table.do(moment.version, moment.setting.names[seat], Tell(seat, hand_of(sent.tiles)), sent.id)


def _text(form: dict[str, Any], language: str) -> str:
    return json.dumps(told(form, language), separators=(",", ":"))


@lru_cache(10_000)
def _entry_text(entry: Entry, language: str) -> str:
    """A line of the history as it is sent: hardly one is new from one version to the next."""
    return _text(entry_form(entry), language)


def deed_of(sent: DeedSent, state: State, before: Callable[[int], State]) -> Deed:
    """What a page sent as a deed; ValueError where it says nothing here."""
    match sent:
        case ActionSent(seat=None):
            return Do(state.parse_action(sent.action))
        case ActionSent():
            return Do(action_from_text(state.ACTIONS, str(sent.action)), sent.seat)
        case ChanceSent(entry=int(number)):
            return Edit(number, chance_action(before(number), halves_of(sent.tiles), sent.starter, sent.numbers))
        case ChanceSent():
            return Do(chance_action(state, halves_of(sent.tiles), sent.starter, sent.numbers))
        case UndoSent():
            return Undo()
        case EditSent(action=None):
            return Edit(sent.number, None)
        case EditSent():
            return Edit(sent.number, before(sent.number).action_of(str(sent.action)))
        case ReplySent():
            return Reply(sent.question, sent.choice)
        case AcceptSent():
            return Accept()


def health(view: View | None) -> dict[str, Any] | None:
    """How well the camera sees, in round numbers; None where there is none."""
    if view is None:
        return None
    quality = view.quality
    return {
        "age": round(view.age, 1),
        "name": view.name,
        "word": view.word,
        "fps": round(quality.fps, 1),
        "light": round(quality.light, 2),
        "glare": round(quality.glare, 3),
        "sharpness": round(quality.sharpness, 2),
        "scale": round(quality.scale, 2),
        "outside": round(quality.outside, 2),
        "picture": view.jpeg is not None,
    }


def _with_key(answer: AnyResponse, key: str) -> AnyResponse:
    """The cookie is the same for both ports: one marked as secure no square that is opened plainly could ever replace."""
    answer.set_cookie(COOKIE, key, max_age=KEPT_SECONDS, httponly=True, samesite="Lax")
    return answer


def register_live(app: Flask, desk: LiveDesk, lan_hosts: Callable[[], tuple[str, ...]], ways: Ways) -> None:
    """Add the table page and everything under /live to the app."""
    live = Blueprint("live", __name__)
    keys, table, visitor = desk.keys, desk.table, desk.visitor

    def player() -> Visitor:
        asking = visitor()
        if not asking.plays:
            abort(403, say("Only looking on: scan the square of a seat to take part."))
        return asking

    @live.get("/table")
    def table_page() -> str:
        return render_template("table.html", tv=request.args.get("view") == "tv", visitor=visitor(), records=table.records)

    @live.get("/join/<key>")
    def join(key: str) -> AnyResponse:
        page = keys.opens(key)
        if page is None:
            abort(403, say("This square is not valid any more. Ask for a new one at the table."))
        return _with_key(redirect(url_for("live.table_page" if page == "table" else "cameras.phone")), key)

    @live.get("/seats")
    def seats() -> str:
        if not visitor().host:
            abort(403, say("The squares of the seats are shown on the computer that runs Kibitz."))
        hosts = lan_hosts()
        start = page_urls(hosts[:1], ways.port or asked_port())
        cards = [
            {"name": seat.name, "number": number, "qr": Markup(qr_svg(url)), "url": url}
            for number, seat in enumerate(table.moment().setting.seats)
            if start and (url := f"{start[0]}join/{keys.seats[number]}")
        ]
        watch = f"{start[0]}table" if start else ""
        return render_template("seats.html", cards=cards, watch=watch)

    @live.post("/seats/keys")
    def new_keys() -> AnyResponse:
        if not visitor().host:
            abort(403, say("New squares are made on the computer that runs Kibitz."))
        keys.change()
        return _with_key(redirect(url_for("live.seats")), keys.host)

    @live.get("/live/recording.kibitz")
    def recording() -> Response:
        """Everything that the camera saw and people entered, hands that were told too: for `kibitz replay`."""
        if not visitor().host:
            abort(403, say("The recording is for the computer that runs Kibitz."))
        kept = BytesIO()
        try:
            table.recording(kept)
        except Refused as error:
            abort(404, str(error))
        kept.seek(0)
        return send_file(kept, "application/zip", as_attachment=True, download_name=f"{table.moment().setting.game}.kibitz")

    @live.get("/live/events")
    def events() -> Response:
        heard = stream_with_context(desk.events(asked_language()))
        sent: Iterator[str] | Iterator[bytes] = heard
        headers = dict(NOTHING_KEPT)
        if takes_gzip():
            sent, headers["Content-Encoding"] = compressed_events(heard), "gzip"
        answer = Response(sent, mimetype="text/event-stream", headers=headers)
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    @live.get("/live/table.json")
    def snapshot() -> Response:
        return jsonify(desk.form())

    @live.get("/live/places")
    def where() -> Response | tuple[Response, int]:
        moment = table.moment()
        try:
            tile = Tile.parse(request.args.get("tile", ""))
        except ValueError as error:
            return jsonify({"error": str(error)}), 400
        return jsonify({"version": moment.version, "places": places(moment.state, tile)})

    @live.get("/live/entry/<int:number>")
    def entry(number: int) -> Response | tuple[Response, int]:
        """What else an entry could have been."""
        try:
            moment, earlier = table.moment(), table.before(number)
        except Refused as error:
            return jsonify({"error": str(error)}), 404
        words = FACES[earlier.game].words
        names, now = moment.setting.names, next((entry.action for entry in moment.entries if entry.number == number), None)
        found = (otherwise(earlier, names) if earlier.chance
                 else [(action, tile_of(action) or (), words(action, earlier)) for action in earlier.legal()])
        choices = [{"action": str(action), "tile": list(tile), "words": said} for action, tile, said in found]
        return jsonify({"number": number, "choices": choices, "wanted": now and anew(earlier, names, now)})

    @live.post("/live/do")
    def do() -> tuple[Response, int]:
        answer, status = desk.do(player())
        return jsonify(answer), status

    @live.post("/live/hand")
    def hand() -> tuple[Response, int]:
        seat = player().seat
        if seat is None:
            abort(403, say("Only a seat has a hand: scan the square of a seat."))
        try:
            desk.tell(seat, read(HandSent))
        except ValueError as error:
            return jsonify({"error": str(error)}), 422
        return jsonify({}), 200

    @live.get("/live/hints")
    def hints() -> tuple[Response, int]:
        """What would serve the seat that asks, by what it can see."""
        asking = player()
        seat = 0 if table.moment().state.players == 1 else asking.seat
        if seat is None:
            abort(403, say("Only a seat has hints: scan the square of a seat."))
        try:
            return jsonify(desk.adviser.hints(seat)), 200
        except Refused as error:
            return jsonify({"error": str(error)}), 422

    @live.get("/live/picture.jpg")
    def picture() -> Response:
        """The newest picture of the camera, with its age in seconds in a header; 204 where there is none."""
        view = table.view()
        if view is None or view.jpeg is None:
            return Response(status=204, headers=NOTHING_KEPT)
        return Response(view.jpeg, mimetype="image/jpeg", headers=NOTHING_KEPT | {"X-Frame-Age": f"{view.age:.2f}"})

    @live.get("/live/evidence/<name>.jpg")
    def evidence(name: str) -> Response:
        found = table.evidence(name) if name.isalnum() else None
        if found is None:
            abort(404)
        if (width := request.args.get("width", type=int)) in WIDTHS:
            found = narrower(found, width)
        return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=86400, immutable"})

    @live.after_request
    def not_kept(answer: Response) -> Response:
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    app.register_blueprint(live)
