"""In which language a page speaks: every browser its own, as chosen on a page, else as it asks for.

A sentence made anywhere (`engine.words`) is said here, when it is shown. Catalogues are gettext's, a file a language beside this
one; `python -m webui.languages.collect` brings them up to date with what the sources say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from babel.dates import format_datetime
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from flask import Flask, Response, has_request_context, jsonify, redirect, request, url_for
from flask.json.provider import DefaultJSONProvider
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from engine.words import Said, count, filled, say, some
from webui.live.words import as_written

HERE = Path(__file__).parent
LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français"}
COOKIE = "kibitz_language"
KEPT_SECONDS = 365 * 24 * 3600


@cache
def catalogue(language: str) -> Catalog:
    """All sentences in a language; English is how they are made, so it has none."""
    if language == "en":
        return Catalog("en")
    with (HERE / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


@cache
def _plural(language: str) -> Callable[[int], int]:
    return c2py(catalogue(language).plural_expr)


def said(text: str, language: str) -> str:
    """A text as it is read in a language, tiles as players write them; what is no sentence of ours stays."""
    return as_written(_said(text, language)) if isinstance(text, Said) else text


def _said(text: Said, language: str) -> str:
    found = catalogue(language).get(text.template) if language != "en" else None
    template = text.many if text.many and text.values["number"] != 1 else text.template
    if found is not None and found.string:
        forms = found.string if isinstance(found.string, list | tuple) else (found.string,)
        template = forms[_plural(language)(text.values["number"]) if text.many else 0]
    words = filled(template, {name: _value(value, language) for name, value in text.values.items()})
    return _spanish(words, text.template) if language == "es" else words


def _value(value: Any, language: str) -> Any:
    if isinstance(value, Said):
        return _said(value, language)
    return format_decimal(value, locale=language) if isinstance(value, float) else value


def _spanish(words: str, template: str) -> str:
    """A list with "e" before an i, and "u" before an o."""
    if template == "{things} and {last}":
        return re.sub(r" y (?=(?:[IiÍí]|[Hh][IiÍí])(?![aeo])\S*$)", " e ", words)
    if template == "{things} or {last}":
        return re.sub(r" o (?=(?:[OoÓó]|[Hh][OoÓó]|8|11\b)\S*$)", " u ", words)
    return words


def told(value: Any, language: str) -> Any:
    """JSON values with every sentence in a language."""
    if isinstance(value, str):
        return said(value, language)
    if isinstance(value, Mapping):
        return {name: told(each, language) for name, each in value.items()}
    return [told(each, language) for each in value] if isinstance(value, list | tuple) else value


def asked_language() -> str:
    """The language of whoever asks, English where nobody does."""
    if not has_request_context():
        return "en"
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, "en")


def page_words(language: str) -> dict[str, Any]:
    """What the scripts of the pages say in a language: for each template another, or one for each plural form."""
    return {message.id if isinstance(message.id, str) else message.id[0]: message.string
            for message in catalogue(language) if any(file.endswith(".js") for file, _ in message.locations)}  # fmt: skip


class _Speaking(DefaultJSONProvider):
    """JSON in the language of whoever asks."""

    sort_keys = False

    def dumps(self, obj: Any, **more: Any) -> str:
        """As usual, with its sentences said."""
        return super().dumps(told(obj, asked_language()), **more)


def register_languages(app: Flask) -> None:
    """Let every page, and every answer in JSON, speak the language of whoever asks."""
    app.json = _Speaking(app)
    env = app.jinja_env
    env.finalize = lambda value: said(value, asked_language()) if isinstance(value, str) else value

    def marked(template: str, **values: Any) -> Markup:
        """A sentence with markup of its own."""
        language = asked_language()
        return Markup(said(say(template, **{name: f"{{{name}}}" for name in values}), language)).format(**told(values, language))

    def words_url(language: str) -> str:
        return f"{app.static_url_path}/words/{language}.json"

    def in_language(language: str) -> str:
        """The same page in another language; where something was sent, the page that it came from."""
        if request.method != "GET":
            came = urlsplit(request.referrer or "")
            path = came.path if came.netloc == request.host else url_for("pages.start")
            return f"{path}?{urlencode({'language': language})}"
        return same_page({**request.args, "language": language})

    def same_page(args: Mapping[str, str]) -> str:
        """Its address, with whatever was asked of it."""
        path = url_for(request.endpoint or "pages.start", **(request.view_args or {}))
        return f"{path}?{urlencode(args)}" if args else path

    env.globals |= {
        "say": say, "count": count, "some": some, "marked": marked, "language": asked_language, "languages": LANGUAGES,
        "words_url": words_url, "in_language": in_language,
        "decimal": lambda number: format_decimal(number, "0.0", locale=asked_language()),
        "day_and_time": lambda when: _day_and_time(when, asked_language()),
    }  # fmt: skip

    @app.get(f"{app.static_url_path}/words/<any({','.join(LANGUAGES)}):language>.json")
    def words(language: str) -> Response:
        return jsonify(page_words(language))

    @app.before_request
    def choose() -> AnyResponse | None:
        """Keep the language that was chosen, and show the same page in it."""
        language = request.args.get("language", "")
        if request.method != "GET" or language not in LANGUAGES or request.endpoint is None:
            return None
        rest = {name: value for name, value in request.args.items() if name != "language"}
        answer = redirect(same_page(rest))
        answer.set_cookie(COOKIE, language, max_age=KEPT_SECONDS, samesite="Lax")
        return answer


def _day_and_time(when: datetime, language: str) -> str:
    return str(format_datetime(when, "d MMMM y, HH:mm", locale=language))
