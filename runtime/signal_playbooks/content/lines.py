"""Places in a text as lines and columns, counted the way editors count them."""

import re
from bisect import bisect_right
from functools import cached_property

from signal_playbooks.problem import Span

# NEL and U+2028 end a line for libyaml's marks, but not in an editor, so they do not here.
_LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """The lines of one text (without its byte order mark), of which the first is line `first_line` of the file."""

    def __init__(self, file: str, text: str, first_line: int = 1) -> None:
        self.file = file
        self.text = text
        self.first_line = first_line
        self._texts: dict[int, str] = {}

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def number(self, index: int) -> int:
        """Return the line the character at `index` stands in, counted from 0."""
        return bisect_right(self._starts, index) - 1

    def bounds(self, index: int) -> tuple[int, int]:
        """Return where the line of `index` begins, and where it ends before its line break."""
        line = self.number(index)
        start = self._starts[line]
        return start, start + len(self._line(line))

    def span(self, start: int, end: int) -> Span:
        """Return the place from `start` to before `end`, cut at the end of its first line, one column at least."""
        start = max(0, min(start, len(self.text)))
        line = self.number(start)
        text = self._line(line)
        column = min(start - self._starts[line], len(text))
        end_column = max(column + 1, min(end - self._starts[line], len(text)))
        return Span(self.file, line + self.first_line, column + 1, end_column + 1, text)

    def _line(self, line: int) -> str:
        # Kept, so that a thousand problems on one long line share one text.
        if line not in self._texts:
            end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
            self._texts[line] = self.text[self._starts[line] : end].rstrip("\r\n")
        return self._texts[line]
