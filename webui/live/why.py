"""Why the referee believes what it does: a page for the host, its figures and its picture."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, abort, jsonify, render_template

from engine.words import say
from webui.live.routes import NOTHING_KEPT, LiveDesk


def register_why(app: Flask, desk: LiveDesk) -> None:
    """Add the page and what it shows to the app. It tells of the whole table, so only the host may see it."""
    why = Blueprint("why", __name__)

    @why.before_request
    def for_the_host() -> None:
        if not desk.visitor().host:
            abort(403, say("Why the referee believes what it does is shown on the computer that runs Kibitz."))

    @why.get("/why")
    def page() -> str:
        return render_template("why.html")

    @why.get("/live/why.json")
    def account() -> Response:
        answer = jsonify(desk.table.account())
        answer.headers.update(NOTHING_KEPT)
        return answer

    @why.get("/live/why.jpg")
    def picture() -> Response:
        """The picture that the account tells of; 204 where there is none yet."""
        jpeg = desk.table.account_picture()
        if jpeg is None:
            return Response(status=204, headers=NOTHING_KEPT)
        return Response(jpeg, mimetype="image/jpeg", headers=NOTHING_KEPT)

    app.register_blueprint(why)
