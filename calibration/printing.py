"""The pages to print, as PDF: what `calibration/mats.py` describes, in vectors, on A4 and on Letter paper."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from calibration.mats import (
    CARDS,
    DICE_BOX,
    MARKET,
    TAG_CARD,
    TAG_CELLS,
    Box,
    Mat,
    Outline,
    Tag,
    Words,
    check_bar,
    font_file,
    font_size,
    tag_cells,
)  # fmt: skip
from engine.words import say

MM = 72 / 25.4
"""Points of a PDF to the millimetre."""

PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
"""Width and height, upright, millimetres."""

SHEETS = ("tags", "market", "dicebox")
"""What can be printed."""

CORNERS = (say("near a corner of the play area."), say("near another corner of the play area."),
           say("near a third corner of the play area."), say("near the last corner of the play area."))  # fmt: skip


def pdf(sheets: Sequence[str], papers: Sequence[str] = tuple(PAPERS), told: Callable[[str], str] = str) -> bytes:
    """A PDF of the sheets, each on each paper; `told` says a sentence in the reader's language. Raises KeyError for a sheet or
    paper that there is not."""
    for bold in (False, True):
        pdfmetrics.registerFont(TTFont(_font(bold), str(font_file(bold))))
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle("Kibitz: " + ", ".join(sheets))
    for paper in papers:
        for sheet in sheets:
            page = page_of(sheet, paper)
            canvas.setPageSize((page.width * MM, page.height * MM))
            _draw(canvas, page, told)
            canvas.showPage()
    canvas.save()
    return file.getvalue()


def page_of(sheet: str, paper: str) -> Mat:
    """Everything on one page, in millimetres from the paper's upper left corner."""
    width, height = PAPERS[paper]
    if sheet == "tags":
        return _tags_page(width, height, paper)
    if sheet == "market":
        return _placed(MARKET, height, width, [Words(_footer(paper), height / 2, width - 6, 1.6, grey=0.5)])
    if sheet == "dicebox":
        return _dice_page(height, width, paper)
    raise KeyError(f"no sheet is called {sheet}")


def _footer(paper: str) -> str:
    return say("Kibitz  •  {paper}  •  print at 100 % (“actual size”): the bar must be 100 mm long", paper=paper)


def _tags_page(width: float, height: float, paper: str) -> Mat:
    """Four cards to cut out, each with what to do with it."""
    gap_x, gap_y, top = 22.0, 34.0, 48.0
    left = (width - 2 * TAG_CARD - gap_x) / 2
    tags: list[Tag] = []
    outlines: list[Outline] = []
    words = [Words(say("Four table tags"), width / 2, 22, 5, bold=True),
             Words(say("Their order and turn do not matter, and nothing needs to be measured."), width / 2, 33, 2.4, grey=0.4)]
    for number, card in enumerate(CARDS):
        x, y = left + (number % 2) * (TAG_CARD + gap_x), top + (number // 2) * (TAG_CARD + gap_y)
        outlines.append(Outline(Box(x, y, TAG_CARD, TAG_CARD), 0, 0.25, 0.5, dashed=True))
        moved = _moved(card, x, y)
        tags += moved.tags
        words += moved.words
        words += [Words(say("Cut out tag {number} along the dashes and lay it flat", number=number), x + TAG_CARD / 2,
                        y + TAG_CARD + 6, 1.9),
                  Words(CORNERS[number], x + TAG_CARD / 2, y + TAG_CARD + 10.5, 1.9)]
    bar_y = height - 26
    words.append(Words(_footer(paper), width / 2, height - 14, 1.8, grey=0.5))
    outlines += check_bar(width / 2 - 50, bar_y, upright=False)
    return Mat("tags", width, height, tuple(tags), {}, tuple(outlines), tuple(words))


def _dice_page(width: float, height: float, paper: str) -> Mat:
    words = [Words(say("Dice box"), width / 2, 20, 5, bold=True),
             Words(say("All four dice start in Old Dice. Take two, one at least from there; roll them again into New Dice."),
                   width / 2, 30, 2.4, grey=0.4),
             Words(say("When all four are new, move them to Old Dice."), width / 2, 35.5, 2.4, grey=0.4),
             Words(_footer(paper), width / 2, height - 14, 1.8, grey=0.5)]
    page = _placed(DICE_BOX, width, height, words)
    return replace(page, outlines=page.outlines + check_bar(width / 2 - 50, height - 26, upright=False))


def _placed(mat: Mat, width: float, height: float, words: Sequence[Words]) -> Mat:
    """A page with the mat in its middle."""
    moved = _moved(mat, (width - mat.width) / 2, (height - mat.height) / 2)
    return replace(moved, width=width, height=height, words=(*moved.words, *words))


def _moved(mat: Mat, x: float, y: float) -> Mat:
    def box(old: Box) -> Box:
        return replace(old, x=old.x + x, y=old.y + y)

    return replace(
        mat,
        tags=tuple(replace(tag, box=box(tag.box)) for tag in mat.tags),
        slots={name: box(slot) for name, slot in mat.slots.items()},
        outlines=tuple(replace(outline, box=box(outline.box)) for outline in mat.outlines),
        words=tuple(replace(words, x=words.x + x, y=words.y + y) for words in mat.words),
    )


def _font(bold: bool) -> str:
    return "Vera-Bold" if bold else "Vera"


def _draw(canvas: Canvas, page: Mat, told: Callable[[str], str]) -> None:
    """Draw a page in vectors; a PDF's y runs upwards. A sentence too long for the page is written smaller."""
    for outline in page.outlines:
        box = outline.box
        canvas.setStrokeGray(outline.grey)
        canvas.setLineWidth(outline.line * MM)
        canvas.setDash([2 * MM, 1.5 * MM] if outline.dashed else [])
        inner = outline.line / 2  # as in the picture of a mat, the line lies within the box
        if outline.fill is not None:
            canvas.setFillGray(outline.fill)
        canvas.roundRect((box.x + inner) * MM, (page.height - box.y - box.height + inner) * MM, (box.width - 2 * inner) * MM,
                         (box.height - 2 * inner) * MM, max(outline.radius - inner, 0) * MM, stroke=1,
                         fill=int(outline.fill is not None))
    for words in page.words:
        canvas.setFillGray(words.grey)
        text, size = told(words.text), font_size(words.size) * MM
        room = (2 * min(words.x, page.width - words.x) - 10) * MM
        canvas.setFont(_font(words.bold), size * min(1, room / canvas.stringWidth(text, _font(words.bold), size)))
        canvas.drawCentredString(words.x * MM, (page.height - words.y - words.size / 2) * MM, text)
    canvas.setFillGray(0)
    for tag in page.tags:
        path = canvas.beginPath()
        for box in _runs(tag):
            path.rect(box.x * MM, (page.height - box.y - box.height) * MM, box.width * MM, box.height * MM)
        canvas.drawPath(path, stroke=0, fill=1)


def _runs(tag: Tag) -> Iterator[Box]:
    """The black of a tag, in rows of cells that lie side by side."""
    cell = tag.box.width / TAG_CELLS
    for row, cells in enumerate(tag_cells(tag.id)):
        start = 0
        while start < TAG_CELLS:
            end = start
            while end < TAG_CELLS and cells[end]:
                end += 1
            if end > start:
                yield Box(tag.box.x + start * cell, tag.box.y + row * cell, (end - start) * cell, cell)
            start = end + 1
