"""Every sentence that the sources can say, and the catalogues brought up to date with them.

What is said is written out where it is said: `say`, `count`, `some`, `marked`, a rule book or a flag.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from webui.languages import HERE, LANGUAGES

ROOT = HERE.parent.parent
ROOMS = ("engine", "calibration", "vision", "referee", "webui")
MAKERS = {
    "engine/words.py": ("{things} and {last}", "{things} or {last}"),
    "engine/core.py": (),
    "webui/languages/__init__.py": (),
    "webui/static/js/parts/words.js": ("{things} and {last}",),
}
"""What makes sentences of that which others write out, with what each says of its own."""

RULE = 3
"""So many texts make a rule: its name, what it says, and its source."""

ABOUT = {"flag": "about", "Meta": "description"}
"""What is described by a sentence, and how the argument is called that has it."""

Sentence = str | tuple[str, str]
"""A template, or those for one and for many."""


class NotWrittenOutError(ValueError):
    """A sentence is put together where it should be written out; the text says where."""


def sentences(root: Path = ROOT) -> dict[Sentence, list[str]]:
    """Every sentence with the files that say it."""
    found: dict[Sentence, list[str]] = {}
    for room in ROOMS:
        for file in sorted(path for path in (root / room).rglob("*") if path.suffix in READ):
            name = file.relative_to(root).as_posix()
            for sentence in MAKERS[name] if name in MAKERS else READ[file.suffix](file):
                found.setdefault(sentence, []).append(name)
    return found


def of_python(file: Path) -> Iterator[Sentence]:
    """What a module says."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Tuple) and file.name == "book.py" and len(node.elts) == RULE:
            yield from (str(ast.literal_eval(text)) for text in node.elts[1:])
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", "")
            texts = [each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else None for each in node.args]
            if name == "rule_book" and file.name != "book.py":
                rows = [row for row in node.args if isinstance(row, ast.Tuple)]
                yield from (str(ast.literal_eval(text)) for row in rows for text in row.elts[1:])
            elif name in ABOUT:
                yield from (str(ast.literal_eval(each.value)) for each in node.keywords if each.arg == ABOUT[name])
            else:
                yield from _called(name, texts, f"{file}:{node.lineno}")


def of_template(file: Path) -> Iterator[Sentence]:
    """What a page says."""
    for call in Environment().parse(file.read_text(encoding="utf-8")).find_all(nodes.Call):
        texts = [each.value if isinstance(each, nodes.Const) and isinstance(each.value, str) else None for each in call.args]
        yield from _called(getattr(call.node, "name", ""), texts, f"{file}:{call.lineno}")


def of_script(file: Path) -> Iterator[Sentence]:
    """What a script of a page says."""
    source = file.read_text(encoding="utf-8")
    for call in re.finditer(r"(?<![\w.$])(say|count)\(", source):
        texts = [json.loads(text) if STRING.fullmatch(text) else None for text in _arguments(source, call.end())]
        yield from _called(call[1], texts, f"{file}:{source.count(chr(10), 0, call.start()) + 1}")


STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`')


def _arguments(source: str, at: int) -> Iterator[str]:
    """The arguments of a call in a script, each as it is written, from behind the opening bracket on."""
    begun, depth = at, 0
    while depth >= 0:
        if quoted := QUOTED.match(source, at):
            at = quoted.end()
            continue
        depth += (source[at] in "([{") - (source[at] in ")]}")
        if depth < 0 or (depth == 0 and source[at] == ","):
            yield source[begun:at].strip()
            begun = at + 1
        at += 1


READ = {".py": of_python, ".html": of_template, ".js": of_script}


def _called(name: str, texts: list[str | None], where: str) -> Iterator[Sentence]:
    if name in ("say", "marked") and texts:
        yield _written_out(texts[0], where)
    elif name == "count" and texts:
        texts += [None] * 2
        yield _written_out(texts[1], where), _written_out(texts[2], where)
    elif name == "some" and len(texts) == 2:
        thing = _written_out(texts[1], where)
        yield f"{{number}} {thing}", f"{{number}} {thing}s"


def _written_out(text: str | None, where: str) -> str:
    if not text:
        raise NotWrittenOutError(f"{where}: a sentence is not written out; make it one literal, with its values as arguments.")
    return text


def template(found: dict[Sentence, list[str]]) -> Catalog:
    """A catalogue in which nothing is translated yet."""
    made = Catalog(charset="utf-8")
    for sentence, files in found.items():
        made.add(sentence, locations=[(file, None) for file in dict.fromkeys(files)])  # type: ignore[misc]
    return made


def update() -> None:
    """Write every catalogue anew, with what is new in it left open and what nobody says any more left out."""
    found = template(sentences())
    for language in LANGUAGES:
        if language == "en":
            continue
        file = HERE / f"{language}.po"
        known = read_po(file.open("rb"), locale=language) if file.exists() else Catalog(locale=language, charset="utf-8")
        found.creation_date = known.creation_date  # no other line changes but those of sentences
        known.update(found, no_fuzzy_matching=True)
        with file.open("wb") as written:
            write_po(written, known, width=130, omit_header=False, sort_output=True, ignore_obsolete=True, include_lineno=False)


if __name__ == "__main__":
    update()
