"""The schema of the JSON interface (JSON Schema 2020-12): what is sent in, what comes back, in words and types."""

from __future__ import annotations

from engine.pieces import HIGHEST_END, TILE_SETS
from vision.drawing import SURE_FROM
from webui.wire import CANDIDATES, JsonObject

ANY_SET = "any"
SET_CHOICES = (ANY_SET, *TILE_SETS)

END: JsonObject = {"type": "integer", "minimum": 0, "maximum": HIGHEST_END}
POINT: JsonObject = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
CORNERS: JsonObject = {
    "type": "array",
    "items": POINT,
    "minItems": 4,
    "maxItems": 4,
    "description": "Pixels of the upright photo, clockwise as seen in it.",
}


def _pair(of: JsonObject, description: str) -> JsonObject:
    return {"type": "array", "items": of, "minItems": 2, "maxItems": 2, "description": description}


def _object(properties: JsonObject, description: str) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "description": description,
    }


TILE = _object(
    {
        "ends": _pair(END, "Pips of the two ends, the smaller first."),
        "score": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "How likely the tile is there and both ends are right.",
        },
        "unsure": {"type": "boolean", "description": f"Whether the score is below {SURE_FROM}: have a look."},
        "corners": CORNERS | {"description": CORNERS["description"] + " The first two bound the first end."},
        "candidates": _pair(
            {"type": "array", "items": END, "minItems": 1, "maxItems": CANDIDATES},
            "For each end the number read, then the next likeliest.",
        ),
        "end_probabilities": _pair(
            {
                "type": "array",
                "items": {"type": "number", "minimum": 0, "maximum": 1},
                "minItems": HIGHEST_END + 1,
                "maxItems": HIGHEST_END + 1,
            },
            f"For each end the probability of 0, 1, ... {HIGHEST_END} pips.",
        ),
    },
    "One tile lying face up.",
)

READING = _object(
    {
        "photo": {"type": "string", "description": "The name of the photo as it was sent."},
        "tiles": {"type": "array", "items": TILE, "description": "Every tile lying face up."},
        "facedown": {"type": "integer", "minimum": 0, "description": "How many tiles lie face down."},
        "total": {"type": "integer", "minimum": 0, "description": "All pips of the tiles lying face up."},
        "ms": {"type": "number", "minimum": 0, "description": "Milliseconds spent on this photo, without waiting."},
        "coins": {"type": "array", "description": "Empty: coins are not read yet."},
        "dice": {"type": "array", "description": "Empty: dice are not read yet."},
        "size": _pair({"type": "integer", "minimum": 1}, "Width and height of the upright photo in pixels."),
        "facedown_corners": {"type": "array", "items": CORNERS, "description": "Where the tiles lie face down."},
    },
    "Status 200: what was read in the photo.",
)

ERROR = _object(
    {
        "photo": {"type": "string", "description": "The name of the photo, or an empty text where none came."},
        "error": {"type": "string", "minLength": 1, "description": "What happened and what to do, in one sentence."},
    },
    "Any other status.",
)

SCHEMA: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Kibitz: reading a photo of dominoes",
    "oneOf": [{"$ref": "#/$defs/reading"}, {"$ref": "#/$defs/error"}],
    "$defs": {"reading": READING, "error": ERROR},
}

FIELDS: tuple[tuple[str, str], ...] = (
    ("photo", "The picture file (JPEG, PNG, WebP). Required, exactly one."),
    ("set", f"Which set the tiles come from: {', '.join(SET_CHOICES)}. Without it: {ANY_SET}."),
    ("copies", "1 or 2: how many copies of the set are in play. Without it: 1."),
)
"""The form fields of `POST /api/read`."""

STATUSES: tuple[tuple[int, str], ...] = (
    (200, "The photo was read; the answer is a reading."),
    (400, "A field is missing or wrong."),
    (403, "The request used a name this machine does not answer to, or came from another web site."),
    (413, "The photo has too many bytes."),
    (422, "The file is no photo that can be opened."),
    (503, "Other photos are being read: try again after the seconds named in Retry-After."),
)
"""What the status of an answer means."""
