"""A YAML syntax error in an author's words, at the place where the mistake was made, not where it was noticed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from signal_playbooks.content.lines import Lines
from signal_playbooks.content.node import Scalar
from signal_playbooks.problem import Problem

RULE = "yaml-syntax"
_COLON = re.compile(r":(?=\s|$)")
_CLOSERS = {"[": "]", "{": "}"}
_QUOTES = {"single": "'", "double": '"'}
_QUOTED_STARTS = "'\""


@dataclass(frozen=True, slots=True)
class _Fault:
    """What libyaml said, and what was being read when it said so."""

    lines: Lines
    said: str
    at: int
    begun: int
    flow: int | None
    last: Scalar | None

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def found(self) -> str:
        return self.text[self.at : self.at + 1]

    def problem(self, start: int, end: int, message: str, hint: str | None = None) -> Problem:
        return Problem(self.lines.span(start, end), RULE, message, hint=hint)

    def line(self, index: int) -> int:
        return self.lines.number(index) + self.lines.first_line

    def word(self, index: int) -> str:
        """Return what stands from `index` to the end of its line, shortened."""
        words = self.text[index : self.lines.bounds(index)[1]].strip()
        return words if len(words) <= 40 else words[:39] + "…"


def syntax_problem(lines: Lines, error: Exception, flow: int | None, last: Scalar | None) -> Problem:
    """Return the problem for what the YAML reader raised.

    `flow` is where the innermost open bracket stands, `last` the scalar read before; both say more than the error.
    """
    begun, at = _index(error, "context_mark"), _index(error, "problem_mark")
    at = len(lines.text) if at is None else min(at, len(lines.text))
    said = f"{getattr(error, 'context', None) or ''}: {getattr(error, 'problem', None) or error}"
    fault = _Fault(lines, said, at, at if begun is None else begun, flow, last)
    for explain in _EXPLANATIONS:
        problem = explain(fault)
        if problem:
            return problem
    return fault.problem(fault.at, fault.at + 1, "this cannot be read as YAML")


def _index(error: Exception, name: str) -> int | None:
    mark: Any = getattr(error, name, None)
    return None if mark is None else int(mark.index)


def _open_quote(fault: _Fault) -> Problem | None:
    """A quote that never closes."""
    if "quoted scalar" not in fault.said or "unexpected" not in fault.said:
        return None
    quote = fault.text[fault.begun : fault.begun + 1]
    return fault.problem(
        fault.begun, fault.begun + 1, f"the quote {quote} that opens here is never closed", f"add the closing {quote}"
    )


def _bad_escape(fault: _Fault) -> Problem | None:
    if "quoted scalar" not in fault.said:
        return None
    start = fault.text.rfind("\\", fault.begun, fault.at + 1)
    start = fault.at if start < 0 else start
    written = fault.text[start : start + 2]
    return fault.problem(
        start,
        start + 2,
        f"{written} is no escape that double quotes know",
        r"write \\ for a backslash, or use single quotes, in which a backslash is itself",
    )


def _early_quote(fault: _Fault) -> Problem | None:
    """Text after a closing quote: either the quote was meant as an apostrophe, or an earlier one was left open."""
    last = fault.last
    if last is None or last.style not in _QUOTES or last.end > fault.at:
        return None
    if "mapping values" in fault.said or not _adjoins(fault, last.end):
        return None
    quote = _QUOTES[last.style]
    if fault.line(last.start) != fault.line(last.end):
        message = f"the quote {quote} that opens here closes only on line {fault.line(last.end)}, before more text"
        return fault.problem(last.start, last.start + 1, message, f"is a closing {quote} missing?")
    escaped = "''" if quote == "'" else '\\"'
    message = f"the quoted text ends here, but '{fault.word(fault.at)}' follows it"
    return fault.problem(
        last.end - 1, last.end, message, f"put the whole value in quotes; inside them, write {escaped} for {quote}"
    )


def _adjoins(fault: _Fault, end: int) -> bool:
    between = fault.text[end : fault.at]
    follows = bool(fault.found) and fault.found not in "\r\n#,]}:"
    return follows and not between.strip(" \t")


def _open_bracket(fault: _Fault) -> Problem | None:
    """A bracket that never closes, noticed lines later or at the end."""
    opened = fault.begun if "parsing a flow" in fault.said and "node" not in fault.said else fault.flow
    if opened is None or fault.text[opened : opened + 1] not in _CLOSERS:
        return None
    bracket = fault.text[opened]
    ended = fault.at >= len(fault.text.rstrip())
    if fault.line(opened) == fault.line(fault.at) and not ended:
        return _inside_brackets(fault, opened)
    message = f"the {bracket} that opens here is never closed"
    return fault.problem(opened, opened + 1, message, f"add the closing {_CLOSERS[bracket]}")


def _inside_brackets(fault: _Fault, opened: int) -> Problem | None:
    bracket = fault.text[opened]
    closer = _CLOSERS[bracket]
    if fault.found in "]}" and fault.found != closer and "node content" not in fault.said:
        message = f"the {bracket} that opens here is closed by {fault.found}"
        return fault.problem(opened, opened + 1, message, f"close it with {closer}")
    if fault.found == ",":
        return fault.problem(fault.at, fault.at + 1, "a value is missing before this comma", "remove one of the commas")
    if fault.found == ":":
        message = "a second ': ' stands in this value"
        return fault.problem(fault.at, fault.at + 1, message, "put the value in quotes if the colon belongs to it")
    if "node content" in fault.said or "any token" in fault.said:
        return None
    return fault.problem(fault.at, fault.at + 1, f"a comma or {closer} is missing before this")


def _tab(fault: _Fault) -> Problem | None:
    start, end = fault.lines.bounds(min(fault.at, max(len(fault.text) - 1, 0)))
    indentation = re.match(r"[ \t]*", fault.text[start:end])
    tab = indentation[0].find("\t") if indentation else -1
    if tab < 0 or (fault.found != "\t" and "tab" not in fault.said and "mapping values" not in fault.said):
        return None
    message = "this line is indented with a tab; YAML knows only spaces"
    return fault.problem(start + tab, start + tab + 1, message, "replace the tab with spaces")


def _second_colon(fault: _Fault) -> Problem | None:
    """A colon where no key can stand: two on a line, a deeper line under a text, or no space after the last colon."""
    if "mapping values" not in fault.said:
        return None
    start, _ = fault.lines.bounds(fault.at)
    last = fault.last
    above = last is not None and fault.line(last.start) < fault.line(fault.at)
    if not _COLON.search(fault.text, start, fault.at):
        return _glued_or_deeper(fault, start, last if above else None)
    message = "a second ': ' stands in this value"
    return fault.problem(fault.at, fault.at + 1, message, "put the value in quotes if the colon belongs to it")


def _glued_or_deeper(fault: _Fault, start: int, above: Scalar | None) -> Problem:
    content = start + len(fault.text[start : fault.at]) - len(fault.text[start : fault.at].lstrip(" -"))
    glued = _glued_above(fault, start)
    if glued is not None:
        return fault.problem(glued, glued + 1, "a space is missing after this colon", "write 'key: value'")
    if above is not None:
        message = f"this line is indented as if it belonged to the text on line {fault.line(above.start)}"
        return fault.problem(content, fault.at, message, "give the keys of one mapping the same indentation")
    if fault.at - content > 1000:
        return fault.problem(content, fault.at, "a key has at most 1024 characters", "is a quote missing?")
    return fault.problem(fault.at, fault.at + 1, "no key can stand here", "put the value in quotes")


def _glued_above(fault: _Fault, start: int) -> int | None:
    """Return where the line above has a colon with no space after it and none with one."""
    if start == 0:
        return None
    above, end = fault.lines.bounds(start - 1)
    words = fault.text[above:end]
    colon = re.match(r"[ ]*(?:- )*[A-Za-z_][\w-]*(:)[^\s/]", words)
    return above + colon.start(1) if colon and not _COLON.search(words) else None


def _no_colon(fault: _Fault) -> Problem | None:
    if "simple key" not in fault.said:
        return None
    word = fault.word(fault.begun)
    colon = re.match(r"[\w-]+(:)\S", fault.text[fault.begun : fault.begun + 80])
    if colon:
        at = fault.begun + colon.start(1)
        return fault.problem(at, at + 1, "a space is missing after this colon", "write 'key: value'")
    end = fault.lines.bounds(fault.begun)[1]
    hint = "is a colon missing, or the indentation?"
    return fault.problem(fault.begun, end, f"'{word}' is no 'key: value', and belongs to nothing above", hint)


def _bad_start(fault: _Fault) -> Problem | None:
    if "any token" in fault.said or ("node content" in fault.said and fault.found in set("]},")):
        message = f"a value cannot begin with {fault.found}"
        return fault.problem(fault.at, fault.at + 1, message, "put the value in quotes")
    return None


def _list_in_line(fault: _Fault) -> Problem | None:
    if "sequence entries" not in fault.said:
        return None
    message, hint = "a list cannot begin on the line of its key", "begin a new line before '- ', or quote a text"
    return fault.problem(fault.at, fault.at + 1, message, hint)


def _indentation(fault: _Fault) -> Problem | None:
    parsing = "parsing a block" in fault.said or "document start" in fault.said
    if not parsing:
        return None
    if fault.found and fault.found in "]}":
        return fault.problem(fault.at, fault.at + 1, f"nothing is open that this {fault.found} could close")
    if fault.found == ":":
        return fault.problem(fault.at, fault.at + 1, "a key is missing before this colon", "write 'key: value'")
    start, end = fault.lines.bounds(fault.at)
    if fault.text[start : fault.at].strip(" -"):
        message = f"'{fault.word(fault.at)}' follows a value that has already ended"
        return fault.problem(fault.at, end, message, "put the whole value in quotes")
    if "expected '-'" in fault.said or "block collection" in fault.said:
        message = f"this line does not line up with the list that begins on line {fault.line(fault.begun)}"
    else:
        message = "this line does not line up with anything above it"
    return fault.problem(fault.at, end, message, "check its indentation")


def _rest(fault: _Fault) -> Problem | None:
    """The rarer ones: block headers, anchors, tags and directives."""
    for said, message, hint in _RARE:
        if said in fault.said:
            at = fault.begun if said in _NAMED_WHERE_BEGUN else fault.at
            return fault.problem(at, at + 1, message, hint)
    return None


_RARE = (
    ("equal to 0", "a block of text cannot be indented by 0", "write | or > alone"),
    ("block scalar", "after | or > the text begins on the next line", "begin a new line, or put the text in quotes"),
    ("an alias", "after * the name of an anchor must follow", "put the value in quotes if it is text"),
    ("an anchor", "after & the name of the anchor must follow", "put the value in quotes if it is text"),
    ("tag", "tags are not used here", "put the value in quotes if it is text"),
    ("directive", "a line that begins with % is for YAML itself", "remove it"),
    ("YAML document", "this version of YAML is not known", "remove the line"),
    ("mapping keys", "a ? key cannot stand here", "put the value in quotes if it is text"),
    ("node content", "a value is missing here", None),
)
_NAMED_WHERE_BEGUN = frozenset(("an alias", "an anchor", "directive"))
_EXPLANATIONS: tuple[Callable[[_Fault], Problem | None], ...] = (
    _open_quote,
    _bad_escape,
    _tab,
    _early_quote,
    _open_bracket,
    _second_colon,
    _no_colon,
    _bad_start,
    _list_in_line,
    _indentation,
    _rest,
)
