"""Every sentence in every language: none outside the catalogues, none open in them, each browser its own."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import fields
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2
import pytest
from flask.testing import FlaskClient

from calibration.printing import SHEETS
from engine.games import GAMES
from engine.words import count, joined, listed, say
from referee.journal import Draft, Journal, numbered
from referee.setting import Setting, seated
from tests.conftest import ROOT
from tests.webui.faketable import NAMES as NAMED
from tests.webui.faketable import FakeCamera, dealt, tagged_table
from tests.webui.foreign import NAMES, english_in
from tests.webui.test_by_hand import offered, play
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.languages import LANGUAGES, catalogue, page_words, said
from webui.languages.collect import MAKERS, READ, sentences
from webui.live.games import FACES
from webui.live.room import Room
from webui.live.running import Begin

OTHERS = [language for language in LANGUAGES if language != "en"]
STEPS = 45
"""Actions of a game that are told."""

PLACE = re.compile(r"\{(\w+)\}")
MARKS = re.compile(r"<[^>]*>")


def texts(sentence: str | Sequence[str] | None) -> tuple[str, ...]:
    """One template, or all plural forms."""
    return (sentence,) if isinstance(sentence, str) else tuple(sentence or ())


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_has_exactly_what_is_said_and_all_of_it_in_its_language(language: str) -> None:
    known = {message.id: message for message in catalogue(language) if message.id}
    assert set(known) == set(sentences()), "python -m webui.languages.collect brings the catalogues up to date"
    for sentence, message in known.items():
        assert all(texts(message.string)) and len(texts(message.string)) == len(texts(sentence)), f"{language}: {sentence}"


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_values_and_the_markup_of_its_sentence(language: str) -> None:
    for message in catalogue(language):
        for one, other in zip(texts(message.id), texts(message.string), strict=True) if message.id else ():
            places, others = ({name.lower() for name in PLACE.findall(text)} for text in (one, other))
            assert places - {"number"} == others - {"number"}, f"{language}: {one} / {other}"
            assert sorted(MARKS.findall(one)) == sorted(MARKS.findall(other)), f"{language}: {one} / {other}"
            assert one[-1:].isspace() == other[-1:].isspace(), f"{language}: {one} / {other}"


def test_the_rules_and_flags_of_every_game_are_among_the_sentences() -> None:
    known = sentences()
    for kind in GAMES.values():
        said_here = [text for rule in kind.RULE_BOOK.values() for text in (rule.text, rule.source)]
        said_here += [each.metadata["about"] for each in fields(kind.Rules)]
        assert [text for text in said_here if text not in known] == []


# A sentence that is put on a page without a catalogue would stay English.

SENTENCE = re.compile(r"^[A-Z][a-z]*('[a-z]+)? .*[a-z]|[a-z]{2,} [a-z]{2,} [a-z]{2,}.*[.?!]$")
"""What begins as a sentence does and goes on, or ends as one does."""

SHOWN = ("engine", "referee", "webui")
FOR_PROGRAMS = {
    "referee/flags.py", "referee/photo_score.py", "referee/games.py", "referee/readers/cells.py", "referee/readers/grid_photo.py",
    "webui/server.py", "webui/certificates.py", "webui/languages/collect.py", "webui/wire.py", "webui/schema.py",
}  # fmt: skip
"""What speaks to commands and to programs: exchange forms, printed files, what is said where Kibitz was started."""


def outside_python(file: Path) -> list[str]:
    """Texts of a module that read like sentences, and are said by nothing."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr):
            continue
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        around, above = [], parents.get(node)
        while above is not None:
            around.append(above)
            above = parents.get(above)
        calls = {getattr(each.func, "id", getattr(each.func, "attr", "")) for each in around if isinstance(each, ast.Call)}
        spared = calls & {"say", "count", "some", "rule_book", "flag", "MalformedError", "ValueError", "OSError", "DamagedError",
                          "AssertionError", "SourceError", "compile", "checked", "text", "fullmatch"}
        inner = any(isinstance(each, ast.JoinedStr) for each in around)
        alike = text in (*NAMES, "Mexican train")
        if text and not (alike or spared or inner or isinstance(around[0], ast.Expr)) and SENTENCE.search(text):
            found.append(f"{file.relative_to(ROOT)}:{node.lineno}: {text}")
    return found


@pytest.mark.parametrize("room", SHOWN)
def test_no_module_has_a_sentence_outside_the_catalogues(room: str) -> None:
    files = [file for file in sorted((ROOT / room).rglob("*.py")) if file.name != "book.py"]
    names = {file: file.relative_to(ROOT).as_posix() for file in files}
    assert [line for file in files if names[file] not in FOR_PROGRAMS | set(MAKERS) for line in outside_python(file)] == []


@pytest.mark.parametrize("file", sorted((ROOT / "webui" / "templates").glob("*.html")), ids=lambda file: file.name)
def test_no_page_has_a_sentence_outside_the_catalogues(file: Path) -> None:
    told_here = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    attributes = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', told_here)
    shown = re.findall(r">([^<]+)<", re.sub(r"<code>.*?</code>", "", told_here, flags=re.DOTALL))
    words = [word for text in (*attributes, *shown) for word in re.findall(r"[A-Za-z]{3,}", re.sub(r"&\w+;", "", text))]
    assert [word for word in words if word != "Kibitz"] == []


@pytest.mark.parametrize("file", sorted((ROOT / "webui" / "static" / "js").rglob("*.js")), ids=lambda file: file.name)
def test_no_script_has_a_sentence_outside_the_catalogues(file: Path) -> None:
    source = re.sub(r"/\*.*?\*/|^\s*//.*$|\s//[^\"\n]*$", "", file.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    source = re.sub(r'(?<![\w.$])(?:say|count)\((?:[^()"`]|\((?:[^()]|\([^()]*\))*\)|"(?:[^"\\]|\\.)*"|`[^`]*`)*\)', "", source)
    quoted = [text for pair in re.findall(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`', source) for text in pair if text]
    assert [text for text in quoted if SENTENCE.search(re.sub(r"\$\{.*?\}", "", text))] == []


def test_a_sentence_that_is_put_together_is_no_sentence_of_a_catalogue(tmp_path: Path) -> None:
    module, script = tmp_path / "a.py", tmp_path / "a.js"
    module.write_text('say(f"It is {name}.")')
    script.write_text("say(`It is ${name}.`)")
    for file in (module, script):
        with pytest.raises(ValueError, match="not written out"):
            list(READ[file.suffix](file))


def test_what_is_said_in_scripts_is_found_wherever_it_stands(tmp_path: Path) -> None:
    script = tmp_path / "a.js"
    script.write_text('draw(say("Deep {a}", { a: count(n(1), "{number} tile", "{number} tiles") }), `${say("inside")}`);')
    assert set(READ[".js"](script)) == {"Deep {a}", ("{number} tile", "{number} tiles"), "inside"}
    page = tmp_path / "a.html"
    page.write_text('<p title="{{ say("Over it") }}">{{ marked("<b>A</b> game", x=say("deep")) }}</p>'
                    '{{ some(2, "player") }}')  # fmt: skip
    assert set(READ[".html"](page)) == {"Over it", "<b>A</b> game", "deep", ("{number} player", "{number} players")}


# What is said, in each language.

def test_numbers_plurals_lists_and_tiles_are_right_in_each_language() -> None:
    tiles = [count(number, "{number} tile", "{number} tiles") for number in (0, 1, 2)]
    assert [[said(each, language) for each in tiles] for language in LANGUAGES] == [
        ["0 tiles", "1 tile", "2 tiles"], ["0 Steine", "1 Stein", "2 Steine"],
        ["0 fichas", "1 ficha", "2 fichas"], ["0 domino", "1 domino", "2 dominos"],
    ]  # fmt: skip
    assert [said(listed(("Ann", "Inés")), language) for language in LANGUAGES] == [
        "Ann and Inés", "Ann und Inés", "Ann e Inés", "Ann et Inés"]
    assert said(listed((7, 8), "or"), "es") == "7 u 8" and said(listed((6, 7), "or"), "es") == "6 o 7"
    assert said(listed(("Ann", "Hielo"), "and"), "es") == "Ann y Hielo"
    wide = say("Tiles are small in the picture: a pip is {pixels} pixels wide at the worst place.", pixels=6.5)
    assert "6.5" in said(wide, "en") and "6,5" in said(wide, "de") and "6,5" in said(wide, "fr")
    laid = say("{name} lays the {tile}.", name="Ann", tile="3-5")
    assert [said(laid, language) for language in LANGUAGES] == [
        "Ann lays the 3|5.", "Ann legt den 3|5.", "Ann pone la 3|5.", "Ann pose le 3|5."]
    lies = say("{Where} should lie the {tile}, not the {other}.", Where=say("at the left end"), tile="3-5", other="3-4")
    assert said(lies, "de") == "Am linken Ende sollte der 3|5 liegen, nicht der 3|4."


def test_a_date_and_a_ruling_are_no_tiles() -> None:
    sentence = joined(("journal-2026-11-25-1713", "Ruling 1.1-8", "the 3-5"))
    assert said(sentence, "en") == "journal-2026-11-25-1713 Ruling 1.1-8 the 3|5"


def test_a_text_of_an_error_is_a_sentence_still() -> None:
    sentence = say("There is no seat {seat}.", seat=3)
    assert said(str(ValueError(sentence)), "de") == "Einen Platz 3 gibt es nicht."


def test_the_journal_keeps_how_a_sentence_was_made_and_old_ones_are_read_as_they_are(tmp_path: Path) -> None:
    sentence = count(2, "{number} tile", "{number} tiles")
    notes = [Draft("note", "host", {"words": [say("It takes {pips} out of your yard.", pips=sentence), "Ann lays the 3-5."]})]
    journal = Journal(tmp_path / "journal.db")
    journal.add(numbered(notes, 0, 1.0))
    journal.close()
    (entry,) = Journal(tmp_path / "journal.db").entries()
    assert entry.data["words"] == notes[0].data["words"]
    assert [said(each, "de") for each in entry.data["words"]] == ["Es nimmt 2 Steine aus deinem Depot.", "Ann lays the 3-5."]


# Who reads which language.

@pytest.fixture
def app() -> Any:
    """A game of Euronimoes on a table, and its pages."""
    nobody: Any = None
    return create_app(nobody, own_names=lambda: ["localhost"], lan_hosts=tuple, table=dealt("euronimoes", 2, 6)[0])


def asking(app: Any, language: str) -> FlaskClient:
    """A browser that asks for a language."""
    client: FlaskClient = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    return client


def test_two_browsers_at_one_table_read_two_languages(app: Any) -> None:
    spanish, german = asking(app, "es-MX,es;q=0.9,en;q=0.5"), asking(app, "de")
    assert spanish.get("/live/table.json").get_json()["aim"] == "Gana la puntuación más baja."
    assert german.get("/live/table.json").get_json()["aim"] == "Die niedrigste Punktzahl gewinnt."
    assert '<html lang="es"' in spanish.get("/table").text and '<html lang="de"' in german.get("/table").text
    first = next(german.get("/live/events", buffered=False).iter_encoded())
    assert "Die niedrigste Punktzahl gewinnt." in first.decode()


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_printed_speaks_the_language_of_the_page(language: str) -> None:
    nobody: Any = None
    stand = CameraStand(lambda name: FakeCamera(tagged_table()))
    client = asking(create_app(nobody, own_names=lambda: ["localhost"], lan_hosts=tuple, stand=stand), language)
    for sheet in SHEETS:
        pages = pypdfium2.PdfDocument(client.get(f"/setup/print/{sheet}-A4.pdf").data)
        text = pages[0].get_textpage().get_text_bounded()
        assert text and english_in(text, language) == [], sheet
        assert said(say("table tag {number}", number=1) if sheet == "tags" else SAID_ON[sheet], language) in text


SAID_ON = {"market": say("Bone pile"), "dicebox": say("New Dice")}


@pytest.mark.parametrize(("wanted", "given"), [
    ("nl, fr;q=0.3", "fr"), ("ja", "en"), ("", "en"), ("en-GB", "en"), ("de-AT", "de")])
def test_a_browser_gets_the_language_that_it_likes_best_of_those_there_are(app: Any, wanted: str, given: str) -> None:
    assert f'<html lang="{given}"' in asking(app, wanted).get("/join").text


def test_what_somebody_chose_on_a_page_holds_on_every_page_of_that_browser(app: Any) -> None:
    client = asking(app, "en")
    chosen = client.get("/rules?game=block&language=de")
    assert chosen.status_code == 302 and chosen.headers["Location"] == "/rules?game=block"
    assert "Regeln von Block &amp; Draw" in client.get(chosen.headers["Location"]).text
    assert '<html lang="de"' in client.get("/table").text and '<html lang="en"' in asking(app, "en").get("/table").text
    assert client.get("/join?language=xx").status_code == 200


@pytest.mark.parametrize("asked", ["endpoint=1", "_method=POST", "_scheme=javascript&_external=1"])
def test_whatever_else_an_address_asks_for_it_is_the_same_page_in_another_language(app: Any, asked: str) -> None:
    client = asking(app, "en")
    page = client.get(f"/table?{asked}")
    assert page.status_code == 200
    links = re.findall(r'href="([^"]*language=de)"', page.text)
    assert links == [f"/table?{asked}&language=de".replace("&", "&amp;")]
    assert client.get(f"/table?{asked}&language=de").headers["Location"] == f"/table?{asked}"


@pytest.mark.parametrize("language", OTHERS)
def test_the_scripts_of_a_page_get_their_sentences_from_a_kept_address(app: Any, language: str) -> None:
    client = asking(app, language)
    address = re.search(r'data-words="([^"]+)"', client.get("/table").text)
    assert address is not None
    answer = client.get(address[1])
    assert answer.json == json.loads(json.dumps(page_words(language))) and "immutable" in answer.headers["Cache-Control"]
    scripts = {sentence for sentence, files in sentences().items() if any(file.endswith(".js") for file in files)}
    assert set(answer.json) == {texts(sentence)[0] for sentence in scripts}


def test_a_refusal_is_told_in_the_language_of_who_asks(app: Any) -> None:
    client = asking(app, "de")
    assert client.get("/live/places?tile=x").status_code == 400
    assert "Seite" in client.get("/nowhere").text and client.get("/nowhere").status_code == 404


# No English word anywhere in what a game tells.

@pytest.fixture
def room(tmp_path: Path) -> Any:
    """A table on which nothing was begun, and no camera over it."""
    nobody: Any = None
    found = Room(tmp_path, nobody)
    found.open(None)
    yield found
    found.close()


PROGRAMS = ("action", "kind", "phase", "word", "key", "look", "rule", "name", "shape", "who", "hints", "values", "tag", "arm",
            "what")  # fmt: skip
"""What of a page's JSON only its scripts read."""


def all_texts(value: Any) -> list[str]:
    """Every text in JSON values, but what only programs read."""
    if isinstance(value, dict):
        return [text for name, each in value.items() if name not in PROGRAMS for text in all_texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in all_texts(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("name", GAMES)
def test_a_game_told_in_another_language_has_no_english_word(name: str, room: Any) -> None:
    kind = GAMES[name]
    names = NAMED[: kind.SEATS[0]]
    room.table.do(room.table.moment().version, "host", Begin(Setting(name, kind.Rules(), seated(names))))
    heard: dict[str, str] = {}  # by their texts in English, which sentences are equal by
    for step, full in enumerate(islice(play(room.table, kind(kind.Rules(), kind.SEATS[0]), Random(3)), STEPS)):
        heard |= {str(text): text for text in all_texts([offered(room.table), {**FACES[name].chances}])}
        if step % 4 == 0 and not full.chance:
            why = [reason.words(names) for legal in full.legal()[:4] for reason in full.reasons(legal)]
            heard |= {str(text): text for text in why}
    assert len(heard) > 10
    for language in OTHERS:
        found = {text: english_in(said(text, language), language) for text in heard.values()}
        assert {text: words for text, words in found.items() if words} == {}, language
