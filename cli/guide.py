"""The guide as a document: `python -m cli.guide > docs/guide.md`. The page has the same sentences (`webui/guide.py`)."""

from __future__ import annotations

from collections.abc import Iterator

from webui.guide import BUYING, ERRING, LYING, MADE_UP, PLACING, PLAYING, Section, games_laid


def guide_document() -> str:
    """The text of docs/guide.md."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# A table for Kibitz\n"
    yield "The page `/guide` says the same in your language. `python -m cli.guide` writes this file.\n"
    for section in (BUYING, PLACING, PLAYING):
        yield from _points(section)
    yield f"## {LYING}\n\n{MADE_UP}\n"
    for laid in games_laid():
        yield f"**{laid.title}.** {laid.words}\n"
        yield f"![{laid.title}](../webui/static/{laid.picture})\n"
    yield from _points(ERRING)


def _points(section: Section) -> Iterator[str]:
    yield f"## {section.title}\n"
    yield from (f"- **{term}.** {words}" for term, words in section.points)
    yield ""


if __name__ == "__main__":
    print(guide_document(), end="")
