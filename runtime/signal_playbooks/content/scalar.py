"""Where each character of a scalar stands in its source, by scanning the source again in the scalar's own style."""

import re
from collections.abc import Callable

from signal_playbooks.content.node import Scalar

# What libyaml takes for a line break inside a scalar. All but the last two decode to "\n".
_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_SPACES = re.compile("(?:[ \t\r\n\x85\u2028\u2029])+")
_QUOTED_PART = re.compile("[ \t\r\n\x85\u2028\u2029]+|''|\\\\|[^ \t\r\n\x85\u2028\u2029'\\\\]+|'")
_BLOCK_HEADER = re.compile("[|>]([-+0-9]*)[^\r\n\x85\u2028\u2029]*")
_ESCAPE_WIDTHS = {"x": 4, "u": 6, "U": 10}
_NAMED_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_MOST_INDENTATION = 64


class _Trail:
    """What was decoded so far, and from where to where each of its characters is written."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def copy(self, source: str, start: int, end: int) -> None:
        self.text.append(source[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))

    def put(self, character: str, start: int, end: int) -> None:
        self.text.append(character)
        self.starts.append(start)
        self.ends.append(end)

    def put_break(self, match: re.Match[str]) -> None:
        self.put(_decoded_break(match), match.start(), match.end())

    def fold(self, source: str, start: int, end: int, *, joined: bool = False) -> None:
        """Add a run of white space between words; `joined` is one after an escaped line break."""
        breaks = list(_BREAK.finditer(source, start, end))
        if not breaks:
            if not joined:
                self.copy(source, start, end)
            return
        if joined or _decoded_break(breaks[0]) != "\n":
            kept = breaks
        else:
            kept = breaks[1:]
            if not kept:
                self.put(" ", breaks[0].start(), end)
        for match in kept:
            self.put_break(match)


def _decoded_break(match: re.Match[str]) -> str:
    return match[0] if match[0] in "\u2028\u2029" else "\n"


def places(scalar: Scalar, source: str) -> tuple[list[int], list[int]]:
    """Return for each character of `scalar.text` where its spelling begins and ends in the source.

    Should the scan ever disagree with the YAML reader, everything after the disagreement stands for the whole scalar.
    """
    trail = _Trail()
    if scalar.style in ("literal", "folded"):
        trail = _block(scalar, source)
    else:
        _SCANS[scalar.style](source, scalar.start, scalar.end, trail)
    decoded = "".join(trail.text)
    if decoded == scalar.text:
        return trail.starts, trail.ends
    same = _common_length(decoded, scalar.text)
    rest = len(scalar.text) - same
    return trail.starts[:same] + [scalar.start] * rest, trail.ends[:same] + [scalar.end] * rest


def plain_text(source: str, start: int, end: int) -> str:
    """Return what a plain scalar written from `start` to before `end` decodes to."""
    trail = _Trail()
    _plain(source, start, end, trail)
    return "".join(trail.text)


def _common_length(one: str, other: str) -> int:
    shorter = min(len(one), len(other))
    return next((index for index in range(shorter) if one[index] != other[index]), shorter)


def _plain(source: str, start: int, end: int, trail: _Trail) -> None:
    at = start
    for run in _SPACES.finditer(source, start, end):
        trail.copy(source, at, run.start())
        trail.fold(source, run.start(), run.end())
        at = run.end()
    trail.copy(source, at, end)


def _single(source: str, start: int, end: int, trail: _Trail) -> None:
    at, last = start + 1, end - 1
    while at < last:
        part = _QUOTED_PART.match(source, at, last)
        if part is None:
            return
        if part[0] == "''":
            trail.put("'", part.start(), part.end())
        elif _SPACES.match(part[0]):
            trail.fold(source, part.start(), part.end())
        else:
            trail.copy(source, part.start(), part.end())
        at = part.end()


def _double(source: str, start: int, end: int, trail: _Trail) -> None:
    at, last, joined = start + 1, end - 1, False
    while at < last:
        part = _QUOTED_PART.match(source, at, last)
        if part is None:
            return
        if part[0] == "\\":
            at, joined = _escape(source, at, last, trail)
            continue
        if _SPACES.match(part[0]):
            trail.fold(source, part.start(), part.end(), joined=joined)
        else:
            trail.copy(source, part.start(), part.end())
        at, joined = part.end(), False


def _escape(source: str, at: int, last: int, trail: _Trail) -> tuple[int, bool]:
    """Add the escape at `at`; return where it ends, and whether it was an escaped line break."""
    line_break = _BREAK.match(source, at + 1, last)
    if line_break:
        return line_break.end(), True
    letter = source[at + 1 : at + 2]
    end = at + _ESCAPE_WIDTHS.get(letter, 2)
    digits = source[at + 2 : end]
    trail.put(chr(int(digits, 16)) if digits else _NAMED_ESCAPES.get(letter, letter), at, end)
    return end, False


def _block(scalar: Scalar, source: str) -> _Trail:
    header = _BLOCK_HEADER.match(source, scalar.start, scalar.end)
    if header is None:
        return _Trail()
    body = _BREAK.match(source, header.end(), scalar.end)
    lines = _block_lines(source, body.end(), scalar.end) if body else []
    trail = _Trail()
    for indentation in _indentations(source, lines, scalar.text):
        trail = _decode_block(source, lines, indentation, scalar.style == "folded", header[1])
        if "".join(trail.text) == scalar.text:
            break
    return trail


def _block_lines(source: str, start: int, end: int) -> list[tuple[int, int, re.Match[str] | None]]:
    lines: list[tuple[int, int, re.Match[str] | None]] = []
    for match in _BREAK.finditer(source, start, end):
        lines.append((start, match.start(), match))
        start = match.end()
    if start < end:
        lines.append((start, end, None))
    return lines


def _indentations(source: str, lines: list[tuple[int, int, re.Match[str] | None]], text: str) -> list[int]:
    """Return how far the block may be indented, the likeliest first: its first word says it, where it has one."""
    widths = [end - start - len(source[start:end].lstrip(" ")) for start, end, _ in lines]
    for (start, end, _), width in zip(lines, widths, strict=True):
        if start + width < end:
            word = len(text) - len(text.lstrip(" \n\u2028\u2029"))
            inside = len(re.split("[\n\u2028\u2029]", text[:word])[-1])
            return [max(width - inside, 0)]
    return list(range(min(max(widths, default=1), _MOST_INDENTATION), 0, -1)) or [1]


def _decode_block(
    source: str, lines: list[tuple[int, int, re.Match[str] | None]], indentation: int, folded: bool, header: str
) -> _Trail:
    trail = _Trail()
    pending: re.Match[str] | None = None
    blanks: list[re.Match[str]] = []
    after_indented = False
    for start, end, line_break in lines:
        begin = start + indentation
        if begin >= end and not source[start:end].strip(" "):
            if line_break:
                blanks.append(line_break)
            continue
        indented = source[begin] in " \t"
        _join_block(trail, pending, blanks, fold=folded and not after_indented and not indented)
        trail.copy(source, begin, end)
        pending, blanks, after_indented = line_break, [], indented
    if "-" not in header and pending:
        trail.put_break(pending)
    for match in blanks if "+" in header else []:
        trail.put_break(match)
    return trail


def _join_block(trail: _Trail, pending: re.Match[str] | None, blanks: list[re.Match[str]], *, fold: bool) -> None:
    if pending and not (fold and _decoded_break(pending) == "\n"):
        trail.put_break(pending)
    elif pending and not blanks:
        trail.put(" ", pending.start(), pending.end())
    for match in blanks:
        trail.put_break(match)


_SCANS: dict[str, Callable[[str, int, int, _Trail], None]] = {"plain": _plain, "single": _single, "double": _double}
