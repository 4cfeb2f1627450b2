"""The schema of the JSON interface (JSON Schema 2020-12): what is sent in, what comes back, in words and types."""

from __future__ import annotations

import msgspec

from engine.pieces import TILE_SETS
from engine.words import Said, say
from webui.wire import ErrorForm, JsonObject, ReadingForm, TileForm

ANY_SET = "any"
SET_CHOICES = (ANY_SET, *TILE_SETS)

_ANSWERS, _PARTS = msgspec.json.schema_components((ReadingForm, ErrorForm), ref_template="#/$defs/{name}")

SCHEMA: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Kibitz: reading a photo of dominoes",
    "oneOf": list(_ANSWERS),
    "$defs": _PARTS,
}


def described(form: type[ReadingForm | TileForm]) -> dict[str, str]:
    """What each field of an answer is, in words."""
    return {name: Said(field["description"], "", {}) for name, field in _PARTS[form.__name__]["properties"].items()}


FIELDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("photo", say("The picture file (JPEG, PNG, WebP). Required, exactly one."), ()),
    ("set", say("Which set the tiles come from; without it, any."), SET_CHOICES),
    ("copies", say("How many copies of the set are in play; without it, 1."), ("1", "2")),
)
"""The form fields of `POST /api/read`: name, what it is, and what it may be."""

STATUSES: tuple[tuple[int, str], ...] = (
    (200, say("The photo was read; the answer is a reading.")),
    (400, say("A field is missing or wrong.")),
    (403, say("The request used a name this machine does not answer to, or came from another web site.")),
    (413, say("The photo has too many bytes.")),
    (422, say("The file is no photo that can be opened.")),
    (503, say("Other photos are being read: try again after the seconds named in Retry-After.")),
)
"""What the status of an answer means."""
