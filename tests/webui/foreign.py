"""Which words of a text are English, where it should be in another language."""

from __future__ import annotations

import re
from functools import cache

from engine.games import GAMES
from webui.languages import catalogue
from webui.languages.collect import sentences

NAMES = ("Kibitz", "Domino Elimination", "Domino Solitaire", "Knock-Out", "Ann", "Bob", "Cleo", "Dan", "English",
         *(kind.TITLE for kind in GAMES.values()))  # fmt: skip
"""What is called alike in every language."""

CODE = re.compile(r"https?://\S+|\S*[_=/\\.]\S*\w|\{\w+\}|<[^>]*>|&\w+;")


def words_of(text: str) -> set[str]:
    """The words of a text, small, without names, numbers, addresses and what is written as a program reads it."""
    for name in sorted(NAMES, key=len, reverse=True):
        text = text.replace(name, " ")
    return {word.lower() for word in re.findall(r"[^\W\d_]{3,}", CODE.sub(" ", text))}


@cache
def english(language: str) -> frozenset[str]:
    """The words of our sentences that this language has not."""
    ours = [text for sentence in sentences() for text in ((sentence,) if isinstance(sentence, str) else sentence)]
    said = [message.string or "" for message in catalogue(language) if message.id]
    theirs = [text for each in said for text in ((each,) if isinstance(each, str) else each)]
    return frozenset(words_of(" ".join(ours)) - words_of(" ".join(theirs)))


def english_in(text: str, language: str) -> list[str]:
    """The English words of a text that should have none."""
    return sorted(words_of(text) & english(language))
