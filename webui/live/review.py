"""Looking back on games, those of before too, step by step; and the rule book as the referee cites it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Flask, Response, abort, jsonify, render_template, request

from engine.core import MalformedError
from engine.games import GAMES, game
from engine.pieces import Tile
from engine.record import Record
from engine.words import say
from referee.setting import HINTS
from webui.delivery import STATIC
from webui.live.form import moment_form
from webui.live.games import FACES
from webui.live.routes import NOTHING_KEPT, LiveDesk
from webui.live.running import Moment, Past, Played, Refused
from webui.live.words import as_written, flag_words
from webui.sent import MisreadSent, read

NOW = ""
"""The name of the game that runs."""


def register_review(app: Flask, desk: LiveDesk) -> None:
    """Add both pages and what they show to the app. All of it was open on the table, so anybody may see it; how well it was
    played only who plays."""
    review = Blueprint("review", __name__)
    table = desk.table

    def asked() -> Played:
        name = request.args.get("game", NOW)
        found = running(table.moment()) if name == NOW else table.played(name)
        if found is None:
            abort(404, say("There is no such game."))
        return found

    @review.get("/review")
    def page() -> str:
        now, played = running(table.moment()), asked()
        games = [*([in_short(now)] if now.entries else []), *table.past()]
        return render_template("review.html", games=[told(each) for each in games], tables=statistics(games),
                               chosen=told(in_short(played)), steps=played.entries, written=as_written,
                               plays=desk.visitor().plays, over=over(played))  # fmt: skip

    @review.get("/live/review.json")
    def step() -> Response:
        """The table as it was after so many entries."""
        played = asked()
        count = max(0, min(request.args.get("step", type=int, default=len(played.entries)), len(played.entries)))
        misread = bool(count) and not table.misreadings.isdisjoint(played.entries[count - 1].pictures)
        seen = {"steps": len(played.entries), "step": count, "misread": misread}
        answer = jsonify(moment_form(after(played, count), None) | seen)
        answer.headers.update(NOTHING_KEPT)
        return answer

    @review.get("/live/judged.json")
    def judged() -> tuple[Response, int]:
        """What each play of a game that is over cost: a seat's own, by what it knew; else of all, by what all could see."""
        played, visitor, setting = asked(), desk.visitor(), table.moment().setting
        if not visitor.plays:
            abort(403, say("Only looking on: scan the square of a seat to take part."))
        if not over(played):
            return jsonify({"error": say("This is told when the game is over.")}), 422
        seats, own = tuple(range(len(played.setting.seats))), visitor.seat
        if own is not None:
            seats = seats[own : own + 1]
        same = own is not None and played.setting.names[own : own + 1] == setting.names[own : own + 1]

        def hand(seat: int, number: int) -> tuple[Tile, ...]:
            return table.told(played.name, seat, number)

        return jsonify(desk.judge.judged(played, seats, hand if same else None)), 200

    @review.post("/live/misread")
    def misread() -> tuple[Response, int]:
        if not desk.visitor().plays:
            abort(403, say("Only looking on: scan the square of a seat to take part."))
        sent = read(MisreadSent)
        try:
            table.misread(sent.picture, sent.wrong)
        except Refused as error:
            return jsonify({"error": str(error)}), 422
        return jsonify({}), 200

    @review.get("/live/record.txt")
    def record() -> Response:
        """The game as a text that can be played through again, as PGN is for chess."""
        played = asked()
        headers = {"Content-Disposition": f'attachment; filename="kibitz-{played.setting.game}.txt"', **NOTHING_KEPT}
        return Response(str(record_of(played)), mimetype="text/plain", headers=headers)

    @review.get("/rules")
    def rules() -> str:
        setting = table.moment().setting
        try:
            kind = game(request.args.get("game", setting.game))
        except MalformedError as error:
            abort(404, str(error))
        played = setting.rules if setting.game == kind.game else kind.Rules()
        flags = [(flag_words(value)[1], about) for value, about in played.told()]
        file = f"rules/{kind.game}.json"  # cli/rule_drawings.py writes it
        return render_template("rules.html", kind=kind, drawn=file if (STATIC / file).is_file() else "", face=FACES[kind.game],
                               flags=flags, games=GAMES.values(), rules=kind.RULE_BOOK.values(), written=as_written)  # fmt: skip

    app.register_blueprint(review)


def running(moment: Moment) -> Played:
    """The game that runs, without what was taken back."""
    return Played(NOW, moment.setting, tuple(entry for entry in moment.entries if entry.action and not entry.undone))


def over(played: Played) -> bool:
    """Whether nothing more can come: a game of before, or one with a result."""
    return played.name != NOW or after(played, len(played.entries)).state.result is not None


def in_short(played: Played) -> Past:
    """What a list tells of a game."""
    state = after(played, len(played.entries)).state
    winners = None if state.result is None else tuple(state.result.winners)
    began = played.entries[0].time if played.entries else 0.0
    return Past(played.name, played.setting, began, tuple(state.scores()), winners)


def statistics(games: Iterable[Past]) -> dict[str, list[tuple[str, int, int, float]]]:
    """By the title of each game that was played to its end, for each player: name, games, those won, and the points on average;
    who has won most first."""
    found: dict[str, dict[str, list[tuple[bool, int]]]] = {}
    for past in games:
        if past.winners is not None:
            for seat, name in enumerate(past.setting.names):
                players = found.setdefault(game(past.setting.game).TITLE, {})
                players.setdefault(name, []).append((seat in past.winners, past.scores[seat]))
    return {title: sorted(((name, len(ends), sum(won for won, _ in ends), sum(points for _, points in ends) / len(ends))
                           for name, ends in players.items()), key=lambda row: -row[2])
            for title, players in found.items()}  # fmt: skip


def record_of(played: Played) -> Record:
    """What stands of the game, with the names of the players and how far hints went."""
    headers = {f"Seat{number}": name.replace('"', "'") for number, name in enumerate(played.setting.names)}
    headers["Hints"] = HINTS[played.setting.hints]
    return Record.of(played.setting.new_state(), tuple(entry.action for entry in played.entries if entry.action), **headers)


def after(played: Played, count: int) -> Moment:
    """The moment after so many entries of a game."""
    state = played.setting.new_state()
    for entry in played.entries[:count]:
        assert entry.action is not None
        state.push(entry.action)
    return Moment(count, played.setting, state, "ready", entries=played.entries[:count])


def told(past: Past) -> dict[str, Any]:
    """A game in a list: what, who with how many points, when."""
    over = past.name != NOW or past.winners is not None
    return {"name": past.name, "over": over, "title": game(past.setting.game).TITLE,
            "began": datetime.fromtimestamp(past.began, UTC).astimezone(),
            "players": list(zip(past.setting.names, past.scores, strict=True))}  # fmt: skip
