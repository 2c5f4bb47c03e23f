"""A YAML file as nodes that know their places, so that every complaint about it has a line and a column."""

import stat
from collections.abc import Sequence as Items
from dataclasses import dataclass, field
from pathlib import Path

from signal_playbooks.content.compose import compose
from signal_playbooks.content.lines import Lines
from signal_playbooks.content.node import Mapping, Node, Scalar, Sequence, child
from signal_playbooks.content.scalar import places
from signal_playbooks.problem import Problem, Severity, Span

__all__ = ["Document", "Mapping", "Node", "Scalar", "Sequence", "parse_document", "read_document", "read_text"]

MAX_BYTES = 16_000_000
_BOM = "\ufeff"


@dataclass(slots=True)
class Document:
    """One YAML text: `root` is None where it could not be read; `text` is without its byte order mark."""

    file: str
    text: str
    root: Node | None
    problems: list[Problem]
    lines: Lines = field(repr=False)
    _scanned: tuple[Scalar, tuple[list[int], list[int]]] | None = field(default=None, repr=False)

    def span(self, node: Node) -> Span:
        """Return where the node's first line stands; for a node reached through an alias, where the alias is used."""
        if node.alias:
            return self.lines.span(node.alias.start, node.alias.end)
        return self._written(node)

    def span_in(self, scalar: Scalar, start: int, end: int) -> Span:
        """Return where the characters from `start` to before `end` of the scalar's text are written."""
        return self.span(scalar) if scalar.alias else self._written_in(scalar, start, end)

    def related(self, node: Node, within: tuple[int, int] | None = None) -> tuple[tuple[Span, str], ...]:
        """Return, for a node reached through an alias, its anchor, and the node's own place where that is elsewhere."""
        if not node.alias:
            return ()
        name = node.alias.name
        anchor = self.lines.span(node.alias.anchor, node.alias.anchor + len(name) + 1)
        inside = isinstance(node, Scalar) and within
        written = self._written_in(node, *within) if isinstance(node, Scalar) and within else self._written(node)
        notes = ((anchor, f"*{name} stands for the value anchored here"),)
        if written.line == anchor.line and not inside:
            return notes
        return (*notes, (written, "and this is where it is written"))

    def python(self, node: Node | None) -> object:
        """Return the node as dict, list, text, number, boolean or None, aliases expanded."""
        return None if node is None else _python(node)

    def at(self, path: Items[str | int]) -> Node | None:
        """Return the node at the path, or the deepest one on the way there."""
        node = self.root
        for part in path:
            below = child(node, part)
            if below is None:
                break
            node = below
        return node

    def key_span(self, path: Items[str | int]) -> Span:
        """Return where the key at the end of the path stands; for an item of a list, where the item stands."""
        node = self._key_at(path)
        return self.span(node) if node else self.lines.span(0, 1)

    def key_line(self, path: Items[str | int]) -> int:
        """Return the line of `key_span`, for those who need no more: it costs a fraction."""
        node = self._key_at(path)
        start = 0 if node is None else node.alias.start if node.alias else node.start
        return self.lines.number(start) + self.lines.first_line

    def _key_at(self, path: Items[str | int]) -> Node | None:
        holder = self.at(path[:-1])
        last = path[-1] if path else None
        key = holder.key(last) if isinstance(holder, Mapping) and isinstance(last, str) else None
        return key or (child(holder, last) if last is not None else None) or holder

    def problem(
        self,
        node: Node,
        rule: str,
        message: str,
        *,
        severity: Severity = "error",
        hint: str | None = None,
        within: tuple[int, int] | None = None,
    ) -> Problem:
        """Return a problem at the node, or at the characters `within` of its text."""
        inside = isinstance(node, Scalar) and within is not None
        span = self.span_in(node, *within) if isinstance(node, Scalar) and within is not None else self.span(node)
        related = self.related(node, within if inside else None)
        return Problem(span, rule, message, severity=severity, hint=hint, related=related)

    def _written(self, node: Node) -> Span:
        return self.lines.span(node.start, self._first_line_end(node, self.lines.bounds(node.start)[1]))

    def _written_in(self, scalar: Scalar, start: int, end: int) -> Span:
        if not scalar.text:
            return self._written(scalar)
        starts, ends = self._places(scalar)
        first = min(max(start, 0), len(starts))
        if first == len(starts):
            return self.lines.span(ends[-1], ends[-1] + 1)
        last = min(max(end - 1, first), len(starts) - 1)
        return self.lines.span(starts[first], ends[last])

    def _places(self, scalar: Scalar) -> tuple[list[int], list[int]]:
        # One text is asked for many of its columns in a row, so the last scan is kept.
        if self._scanned is None or self._scanned[0] is not scalar:
            self._scanned = (scalar, places(scalar, self.text))
        return self._scanned[1]

    def _first_line_end(self, node: Node, line_end: int) -> int:
        """Return where the node ends on the line it begins on, without a comment behind it."""
        if isinstance(node, Scalar) or node.flow:
            return min(node.end, line_end)
        children = [part for entry in node.entries for part in entry] if isinstance(node, Mapping) else node.items
        end = node.start + 1
        for part in children:
            if part.alias:
                inside = part.alias.start < line_end
                end = max(end, min(part.alias.end, line_end)) if inside else end
            elif part.start < line_end:
                end = max(end, self._first_line_end(part, line_end))
            else:
                break
        return end


def _python(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {key.text: _python(value) for key, value in node.entries}
    return [_python(item) for item in node.items]


def parse_document(text: str, file: str, *, first_line: int = 1) -> Document:
    """Return the text as a document, with a problem for whatever is wrong in it; nothing is ever raised.

    `first_line` is the line of the file that the text begins on.
    """
    lines = Lines(file, text.lstrip(_BOM), first_line)
    root, problems = compose(lines)
    return Document(file, lines.text, root, problems, lines)


def read_document(path: Path, file: str) -> Document:
    """Return the file as a document; one that cannot be read is a document with one problem and no root."""
    text, problem = read_text(path, file)
    if problem:
        return Document(file, "", None, [problem], Lines(file, ""))
    return parse_document(text, file)


def read_text(path: Path, file: str) -> tuple[str, Problem | None]:
    """Return the file's text (empty with the problem): a regular file of at most 16 MB, in UTF-8, without NUL."""
    try:
        raw = _read_bytes(path)
    except _UnreadableError as refused:
        return "", Problem(Span(file), "unreadable", str(refused))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is not valid"
        return "", Problem(Span(file), "unreadable", f"this file cannot be read: {reason.lower()}")
    try:
        text = raw.decode("utf-8").lstrip(_BOM)
    except UnicodeDecodeError as error:
        return "", _not_utf8(file, raw, error)
    if "\0" in text:
        at = Lines(file, text).span(text.index("\0"), text.index("\0") + 1)
        return "", Problem(at, "unreadable", "a NUL character stands here; this is no text file")
    return text, None


class _UnreadableError(Exception):
    """Why a path is not even opened."""


def _read_bytes(path: Path) -> bytes:
    kind = path.stat().st_mode
    if stat.S_ISDIR(kind):
        raise _UnreadableError("this is a directory, not a file")
    if not stat.S_ISREG(kind):
        raise _UnreadableError("this is no regular file")
    with path.open("rb") as stream:
        raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise _UnreadableError(f"this file is larger than {MAX_BYTES // 1_000_000} MB")
    return raw


def _not_utf8(file: str, raw: bytes, error: UnicodeDecodeError) -> Problem:
    before = raw[: error.start].decode("utf-8").lstrip(_BOM)
    readable = raw.decode("utf-8", errors="replace").lstrip(_BOM)
    span = Lines(file, readable).span(len(before), len(before) + 1)
    message = f"this file is not UTF-8: byte 0x{raw[error.start]:02x} is no part of a character"
    return Problem(span, "unreadable", message, hint="save it as UTF-8")
