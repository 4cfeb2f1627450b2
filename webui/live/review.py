"""Looking back on games, those of before too, step by step; and the rule book as the referee cites it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Flask, Response, abort, jsonify, render_template, request

from engine.core import MalformedError
from engine.games import GAMES, game
from webui.live.form import moment_form
from webui.live.games import FACES
from webui.live.routes import NOTHING_KEPT
from webui.live.running import Moment, Played, RunningTable
from webui.live.words import as_written, flag_words

NOW = ""
"""The name of the game that runs."""


def register_review(app: Flask, table: RunningTable) -> None:
    """Add both pages and what they show to the app. All of it was open on the table, so anybody may see it."""
    review = Blueprint("review", __name__)

    def asked() -> Played:
        name = request.args.get("game", NOW)
        found = running(table.moment()) if name == NOW else next((each for each in table.past() if each.name == name), None)
        if found is None:
            abort(404, "There is no such game.")
        return found

    @review.get("/review")
    def page() -> str:
        games = [told(each) for each in (running(table.moment()), *table.past()) if each.entries]
        return render_template("review.html", games=games, chosen=told(asked()), steps=asked().entries, written=as_written)

    @review.get("/live/review.json")
    def step() -> Response:
        """The table as it was after so many entries."""
        played = asked()
        count = max(0, min(request.args.get("step", type=int, default=len(played.entries)), len(played.entries)))
        answer = jsonify(moment_form(after(played, count), None) | {"steps": len(played.entries), "step": count})
        answer.headers.update(NOTHING_KEPT)
        return answer

    @review.get("/rules")
    def rules() -> str:
        setting = table.moment().setting
        try:
            kind = game(request.args.get("game", setting.game))
        except MalformedError as error:
            abort(404, str(error))
        played = setting.rules if setting.game == kind.game else kind.Rules()
        flags = [(flag_words(value)[1], about) for value, about in played.told()]
        return render_template("rules.html", kind=kind, face=FACES[kind.game], flags=flags, games=GAMES.values(),
                               rules=kind.RULE_BOOK.values(), written=as_written)  # fmt: skip

    app.register_blueprint(review)


def running(moment: Moment) -> Played:
    """The game that runs, without what was taken back."""
    return Played(NOW, moment.setting, tuple(entry for entry in moment.entries if entry.action and not entry.undone))


def after(played: Played, count: int) -> Moment:
    """The moment after so many entries of a game."""
    state = played.setting.new_state()
    for entry in played.entries[:count]:
        assert entry.action is not None
        state.push(entry.action)
    return Moment(count, played.setting, state, "ready", entries=played.entries[:count])


def told(played: Played) -> dict[str, Any]:
    """A game in a list: what, who with how many points, when."""
    scores = played.entries[-1].scores if played.entries else (0,) * len(played.setting.seats)
    began = datetime.fromtimestamp(played.entries[0].time, UTC).astimezone() if played.entries else None
    return {"name": played.name, "title": game(played.setting.game).TITLE, "began": began,
            "players": list(zip(played.setting.names, scores, strict=True))}  # fmt: skip
