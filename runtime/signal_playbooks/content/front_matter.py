"""Front matter: the YAML between two lines of three dashes, and the text below it."""

import re

from signal_playbooks.content.document import Document, parse_document
from signal_playbooks.content.lines import Lines
from signal_playbooks.problem import Problem

RULE = "front-matter"
_FENCE = re.compile(r"^---[ \t]*(?:\r\n|\r|\n|\Z)", re.MULTILINE)
_CLOSING_FENCE = re.compile(r"(?:(?<=\n)|(?<=\r))---[ \t]*(?:\r\n|\r|\n|\Z)")


def parse_front_matter(text: str, file: str) -> tuple[Document, str, int]:
    """Return the front matter as a document, the body below it, and the body's first line number.

    Without front matter, or with one that is never closed, the document has a problem and no root.
    """
    text = text.lstrip("\ufeff")
    opening = _FENCE.match(text)
    if opening is None:
        message = "this file must begin with front matter: a line of three dashes, YAML, and three dashes again"
        return _without(text, file, message), text, 1
    closing = _CLOSING_FENCE.search(text, opening.end())
    if closing is None:
        return _without(text, file, "the front matter that opens here is never closed by a line of three dashes"), "", 1
    document = parse_document(text[opening.end() : closing.start()], file, first_line=2)
    body_line = Lines(file, text).number(closing.end() - 1) + 2
    return document, text[closing.end() :], body_line


def _without(text: str, file: str, message: str) -> Document:
    lines = Lines(file, text)
    return Document(file, text, None, [Problem(lines.span(0, 3), RULE, message)], lines)
