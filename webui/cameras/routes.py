"""The camera's addresses: the page of a phone that is the camera, its pictures, and the set-up page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from math import cos
from random import Random
from typing import Any

import cv2
from flask import Blueprint, Flask, Response, abort, jsonify, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from calibration.fit import CalibrationError
from calibration.profile import Profile
from engine.games import GAMES, MOST_SEATS, game
from engine.words import say
from referee.games import REFEREED
from referee.setting import COLOURS, HINTS, NOT_PLAYERS, SIDES, Seat, Setting, unnamed
from vision.sources.source import SourceError
from webui.addresses import Ways, page_urls, qr_svg
from webui.cameras.pieces import PieceDesk
from webui.cameras.stand import CameraStand, camera_choices, profile_form
from webui.door import host_name
from webui.languages import asked_language, said
from webui.live.form import scene
from webui.live.games import FACES
from webui.live.keys import Keys
from webui.live.routes import health
from webui.live.running import HOST, Begin, Offered, Resume, RunningTable, Stale
from webui.live.scene import JsonObject
from webui.live.words import flag_words
from webui.sent import CameraSent, CornersSent, GameSent, ShowingSent, read

LARGEST_FRAME = 6_000_000
LONGEST_NAME = 30
TRIES = 3

HALF_WAY = 16
"""Actions of the drawings that games are chosen by."""

SHEETS = {"tags": say("The four tags"), "market": say("A mat for the market"), "dicebox": say("A mat for the dice")}
"""What can be printed for a table, and what people call it."""

LONGEST_MM = 10_000.0
"""No table is longer, nor what is measured on it."""


def register_cameras(
    app: Flask,
    stand: CameraStand,
    keys: Keys,
    table: RunningTable | None,
    lan_hosts: Callable[[], tuple[str, ...]],
    ways: Ways,
    pieces: PieceDesk | None,
) -> None:
    """Add the camera page and the set-up page to the app."""
    cameras = Blueprint("cameras", __name__)
    setup = Blueprint("setup", __name__, url_prefix="/setup")

    @cameras.get("/camera")
    def phone() -> str:
        if not keys.visitor(request).camera:
            abort(403, say("To lend this phone’s camera, scan the square that the set-up page shows."))
        secure = (
            f"{page_urls([host_name(request.host) or 'localhost'], ways.secure_port, 'https')[0]}join/"
            if ways.secure_port
            else ""
        )
        return render_template("camera.html", secure=secure + keys.camera if secure else "")

    @cameras.post("/camera/frame")
    def frame() -> tuple[Response, int]:
        """One picture (JPEG) of the phone; answers what the referee makes of it, and how many stops less light it should take."""
        if not keys.visitor(request).camera:
            return jsonify({"error": say("This phone’s key is not the camera’s.")}), 403
        if (request.content_length or 0) > LARGEST_FRAME:
            return jsonify({"error": say("The picture has too many bytes.")}), 413
        try:
            stand.push(request.get_data(cache=False), request.args.get("from", ""))
        except ValueError as error:
            return jsonify({"error": str(error)}), 422
        moment = table.moment() if table is not None else None
        word = moment.word if moment else "ready"
        return jsonify(
            {"word": word, "sentence": moment.sentence if moment else "", "health": health(stand.view()), "stops": stand.stops}
        ), 200

    @setup.before_request
    def only_host() -> None:
        if not keys.visitor(request).host:
            abort(403, say("The table is set up on the computer that runs Kibitz."))

    def form(profile: Profile) -> dict[str, Any]:
        newest = stand.newest()
        return profile_form(profile, newest.image if newest else None)

    @setup.get("")
    def page() -> str:
        hosts = lan_hosts()[:1] or ("localhost",)
        port = ways.secure_port
        url = f"{page_urls(hosts, port, 'https')[0]}join/{keys.camera}" if port else ""
        setting = table.moment().setting if table else None
        started = bool(table and table.moment().entries)
        return render_template(
            "setup.html", games=game_forms(setting), sides=sides_of(setting), names=names_told(setting), setting=setting,
            hints=HINTS, most_seats=MOST_SEATS, sheets=SHEETS,
            choices=camera_choices(stand.name), chosen=stand.name, qr=Markup(qr_svg(url)) if url else None, phone_url=url,
            started=started, offered=offered_form(table.offered) if table and not started else None,
        )  # fmt: skip

    @setup.get("/games.json")
    def pictures() -> AnyResponse:
        """A drawing of each game half way; a browser that has them is told so."""
        answer = jsonify({name: drawing_of(name) for name in GAMES})
        answer.headers["Cache-Control"] = "no-cache"
        answer.add_etag()
        return answer.make_conditional(request)

    @setup.get("/print/<sheet>-<paper>.pdf")
    def printed(sheet: str, paper: str) -> Response:
        """What is printed once and laid on the table."""
        from calibration.printing import PAPERS, pdf  # only who prints needs to draw

        if sheet not in SHEETS or paper not in PAPERS:
            abort(404)
        language = asked_language()
        return Response(pdf([sheet], [paper], lambda words: said(words, language)), mimetype="application/pdf")

    @setup.get("/picture.jpg")
    def picture() -> Response:
        """The newest picture, as it is shown; `whole`: as large as the camera gives it, for reading."""
        newest = stand.newest()
        if "whole" in request.args and newest is not None:
            return Response(bytes(cv2.imencode(".jpg", newest.image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1]), mimetype="image/jpeg")
        view = stand.view()
        if view is None or view.jpeg is None:
            return Response(status=204)
        return Response(view.jpeg, mimetype="image/jpeg", headers={"X-Frame-Age": f"{view.age:.2f}"})

    @setup.get("/health.json")
    def camera_health() -> Response:
        choices = {choice.name: choice.words for choice in camera_choices(stand.name)}
        return jsonify({"health": health(stand.view()), "chosen": stand.name, "lost": stand.health().lost, "choices": choices,
                        "measured": stand.profile is not None})

    @setup.post("/camera")
    def choose() -> tuple[Response, int]:
        try:
            stand.choose(read(CameraSent).name or None)
        except (SourceError, OSError) as error:  # a folder or file that may not be read
            return jsonify({"error": str(error)}), 422
        return jsonify({"chosen": stand.name}), 200

    @setup.get("/calibration.json")
    def calibration() -> Response:
        return jsonify({"profile": form(stand.profile) if stand.profile else None})

    @setup.post("/calibrate")
    def measure() -> tuple[Response, int]:
        sent = read(CornersSent)
        try:
            profile = stand.calibrate(sent.corners, _length(sent.width), _length(sent.height))
        except (CalibrationError, ValueError) as error:
            return jsonify({"error": str(error)}), 422
        except OSError as error:
            return jsonify({"error": say("The table is measured, but not kept for another day: {error}.", error=error)}), 500
        return jsonify({"profile": form(profile)}), 200

    @setup.get("/pieces")
    def shown() -> Response:
        """How the players' pieces are read, and how far they have been shown."""
        if pieces is None:
            abort(404)
        return jsonify(pieces.form())

    @setup.get("/pieces.jpg")
    def closeup() -> Response:
        """The pieces of the row that is being shown, as they were looked at last."""
        found = pieces.closeup() if pieces is not None else None
        return Response(status=204) if found is None else Response(found, mimetype="image/jpeg")

    @setup.post("/pieces")
    def show() -> tuple[Response, int]:
        if pieces is None:
            abort(404)
        try:
            getattr(pieces, read(ShowingSent).do)()
        except ValueError as error:
            return jsonify({"error": str(error)}), 422
        except OSError as error:
            return jsonify({"error": say("The pieces cannot be kept: {error}.", error=error)}), 500
        return jsonify(pieces.form()), 200

    @setup.post("/game")
    def begin() -> tuple[Response, int]:
        if table is None:
            return jsonify({"error": say("Kibitz was started without a table.")}), 422
        sent = read(GameSent)
        for _ in range(TRIES):  # a camera that is being measured changes the table, and what is to begin stays the same
            try:
                table.do(table.moment().version, HOST, Begin(setting_of(sent), sent.anew))
            except Stale:
                continue
            except ValueError as error:
                return jsonify({"error": str(error)}), 422
            return jsonify({}), 200
        return jsonify({"error": say("The table has changed meanwhile. Please try again.")}), 409

    @setup.post("/again")
    def again() -> tuple[Response, int]:
        """The same game once more, with the same players; only when it is over, so that whoever is second ends no new one."""
        if table is None:
            abort(404)
        moment = table.moment()
        try:
            if moment.state.result is None:
                raise Stale
            table.do(moment.version, HOST, Begin(moment.setting, True))
        except Stale:
            return jsonify({"error": say("The table has changed meanwhile. Please look again.")}), 409
        except ValueError as error:
            return jsonify({"error": str(error)}), 422
        return jsonify({}), 200

    @setup.post("/resume")
    def resume() -> AnyResponse:
        """Go on with the game that is offered on the set-up page."""
        if table is None:
            abort(404)
        try:
            table.do(table.moment().version, HOST, Resume())
        except ValueError as error:
            abort(409, str(error))
        return redirect(url_for("live.table_page"))

    @setup.after_request
    @cameras.after_request
    def not_kept(answer: Response) -> Response:
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    app.register_blueprint(cameras)
    app.register_blueprint(setup)


def _length(value: float | str | None) -> float | None:
    """A length in millimetres; ValueError with a sentence for what is none."""
    if value in (None, ""):
        return None
    try:
        length = float(value or 0)
    except ValueError:
        length = 0.0
    if not 0 < length <= LONGEST_MM:
        raise ValueError(say("A length is a number of millimetres up to {longest}.", longest=round(LONGEST_MM)))
    return length


def game_forms(setting: Setting | None = None) -> list[dict[str, Any]]:
    """The games that can be refereed, with their flags, each with its sentence, what it may be, and what it is in the game of
    this setting."""

    def now(name: str, flag: str) -> str:
        return flag_words(getattr(setting.rules, flag))[0] if setting is not None and setting.game == name else ""

    return [
        {
            "name": name,
            "title": kind.TITLE,
            "about": FACES[name].about,
            "seats": list(kind.SEATS),
            "pieces": bool(REFEREED[name].pieces),
            "flags": [
                {
                    "name": each.name,
                    "about": each.metadata["about"],
                    "choices": [flag_words(choice) for choice in each.metadata["choices"] if choice is not int],
                    "number": int in each.metadata["choices"],
                    "now": now(name, each.name),
                }
                for each in fields(kind.Rules)
            ],
        }
        for name, kind in GAMES.items()
    ]


@cache
def drawing_of(name: str) -> JsonObject:
    """The drawing of a game some plays after its deal, of which one shape or one seat's is enough."""
    rng, kind = Random(1), game(name)
    state, plays = kind.start(None, kind.SEATS[0], rng), 0
    while plays < HALF_WAY and state.result is None:
        some = [state.random_chance(rng)] if state.chance else state.legal()
        action = max(rng.sample(some, min(len(some), 8)), key=lambda each: each.kind == "play")
        plays += action.kind not in ("bid", "deal")
        state.push(action)
    drawn = scene(state)
    return next(iter(drawn["grids"] if drawn["kind"] == "grids" else reversed(drawn["shapes"].values())))


def offered_form(offered: Offered | None) -> dict[str, Any] | None:
    """What people know a game by: its name, who played, when, and how far they were."""
    if offered is None:
        return None
    return {"why": offered.why, "title": offered.setting.new_state().TITLE,
            "last": datetime.fromtimestamp(offered.last, UTC).astimezone(),
            "players": list(zip(offered.setting.names, offered.scores, strict=True))}  # fmt: skip


def sides_of(setting: Setting | None) -> list[int]:
    """At which side of the table each player sits, as the set-up page counts them."""
    seats = setting.seats if setting is not None else ()
    return [min(range(len(SIDES)), key=lambda side: -cos(SIDES[side] - seat.facing)) for seat in seats]


def names_told(setting: Setting | None) -> list[str]:
    """The names of the players as somebody told them, empty where nobody did."""
    return ["" if name == unnamed(at) else name for at, name in enumerate(setting.names if setting is not None else ())]


def setting_of(sent: GameSent) -> Setting:
    """The game, flags and seats that the set-up page sent; ValueError with a sentence where they do not fit."""
    kind = game(sent.game)
    seats = []
    for number, each in enumerate(sent.seats):
        name = each.name.strip()[:LONGEST_NAME] or unnamed(number)
        seats.append(Seat(name, SIDES[number % len(SIDES) if each.side is None else each.side],
                          COLOURS[number % len(COLOURS)]))
    if len(seats) not in kind.SEATS:
        raise ValueError(say("{game} is not for {players}.", game=kind.TITLE, players=len(seats)))
    if len({seat.name for seat in seats}) < len(seats):
        raise ValueError(say("Two players have the same name: give each a name of their own."))
    if taken := NOT_PLAYERS.intersection(seat.name for seat in seats):
        raise ValueError(say("Kibitz itself uses the name “{name}”: write this player’s name otherwise.", name=min(taken)))
    if sent.hints not in HINTS:
        raise ValueError(f"Hints are {', '.join(HINTS)}.")
    return Setting(kind.game, kind.Rules.of(sent.rules), tuple(seats), hints=sent.hints)
