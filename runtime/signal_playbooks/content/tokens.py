"""The characters of an expression, split into tokens; slips brought from other languages are named where they stand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from keyword import iskeyword
from typing import Literal, NamedTuple

from signal_playbooks.errors import UsageError

MAX_TEXT = 10_000
MAX_TOKENS = 4_000
MAX_NESTING = 60


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing wrong in a text; `start` and `end` (exclusive) are character offsets into the text that was given."""

    start: int
    end: int
    rule: str
    message: str
    severity: Literal["error", "warning"] = "error"
    hint: str | None = None


class ExpressionInvalid(UsageError):
    """A text is no expression of this language; `complaint` says where and why."""

    name = "expression_invalid"

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint.message, complaint.hint, start=complaint.start, end=complaint.end)
        self.complaint = complaint

    def moved(self, by: int) -> "ExpressionInvalid":
        """Return the same complaint, `by` characters further on: for an expression that stands inside a longer text."""
        complaint = self.complaint
        return ExpressionInvalid(replace(complaint, start=complaint.start + by, end=complaint.end + by))


class Token(NamedTuple):
    """A run of characters of one kind: text, number, name, mark (an operator or bracket) or stray (anything else)."""

    kind: str
    text: str
    start: int
    end: int


_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+)
      | (?P<text>'(?:[^'\\\n]|\\[^\n])*' | "(?:[^"\\\n]|\\[^\n])*")
      | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|(?<![\w\])])\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<mark>\{\{|\}\}|===|!==|\*\*|//|<<|>>|<>|:=|&&|\|\||\?\?|\?\.|==|!=|<=|>=
                |[-+*/%<>()\[\],.:=!&|^~@$?;\\\#`{}])
      | (?P<stray>['"]|.)""",
    re.VERBOSE | re.DOTALL,
)
_PAIRS = {")": "(", "]": "["}
_WORDS = frozenset({"and", "or", "not", "in", "if", "else", "for"})
_CONSTANTS = {"true": "True", "false": "False", "null": "None"}
_ON_ONE_LINE = str.maketrans("\t\r\n", "   ")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_ESCAPE = re.compile(r"\\([nt\\'\"])")

# What people write who come from somewhere else, and what it is called here.
_SLIPS: Mapping[str, tuple[str, str]] = {
    "&&": ("bad-syntax", "'&&' is written 'and'"),
    "||": ("bad-syntax", "'||' is written 'or'"),
    "!": ("bad-syntax", "'!' is written 'not'"),
    "===": ("bad-syntax", "'===' is written '=='"),
    "!==": ("bad-syntax", "'!==' is written '!='"),
    "<>": ("bad-syntax", "'<>' is written '!='"),
    "=": ("bad-syntax", "'=' assigns, which an expression cannot; to compare, write '=='"),
    "?": ("bad-syntax", "'c ? x : y' is written 'x if c else y'"),
    "??": ("bad-syntax", "'x ?? y' is written 'default(x, y)'"),
    "?.": ("bad-syntax", "'a?.b' is written 'default(a.b, null)'"),
    "|": ("not-allowed", "there are no filters: 'x | upper' is written 'upper(x)', and 'or' joins conditions"),
    "&": ("not-allowed", "'&' is not part of the language: conditions are joined by 'and'"),
    ":": ("not-allowed", "':' is not part of the language: there are no slices, maps or lambdas"),
    ":=": ("not-allowed", "':=' assigns, which an expression cannot"),
    "**": ("not-allowed", "'**' is not part of the language: write 'a * a'"),
    "//": ("not-allowed", "'//' is not part of the language: write 'round(a / b)'"),
    "<<": ("not-allowed", "'<<' is not part of the language"),
    ">>": ("not-allowed", "'>>' is not part of the language"),
    "^": ("not-allowed", "'^' is not part of the language"),
    "~": ("not-allowed", "'~' is not part of the language: write 'not' before a condition"),
    "@": ("bad-syntax", "'@' means nothing here; a text stands in quotes"),
    "$": ("bad-syntax", "'$' means nothing here: a name is written as it is, such as inputs.topic"),
    "`": ("bad-syntax", "a text stands in straight quotes, ' or \""),
    ";": ("bad-syntax", "';' means nothing here: an expression is one value"),
    "\\": ("bad-syntax", "a backslash has a meaning only inside quotes"),
    "#": ("bad-syntax", "'#' means nothing here: an expression has no comments"),
    "{": ("not-allowed", "maps and sets cannot be written in an expression; a list is [a, b]"),
    "}": ("bad-syntax", "'}' closes nothing"),
    "}}": ("bad-syntax", "'}}' closes nothing"),
    "{{": ("template-in-condition", "this is an expression already: names stand in it without '{{' and '}}'"),
}
_SUSPECT_MARKS = frozenset({"<", *_SLIPS})
_QUOTE_LIKE = "‘’‚‛“”„‟«»´′″"
_BLANK_LIKE = "\u00a0\u2007\u202f\u2003\u2002\u2009\u200b\ufeff"


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of an expression, blanks left out; ExpressionInvalid at the first slip.

    Whatever passes is ASCII outside quotes, has its brackets in pairs and its texts closed.
    """
    if len(text) > MAX_TEXT:
        raise _refused(0, len(text), "bad-syntax", f"an expression has at most {MAX_TEXT:,} characters")
    found = _scan(text)
    if not found:
        raise _refused(0, len(text), "bad-syntax", "an expression is missing here")
    if len(found) > MAX_TOKENS:
        raise _refused(0, len(text), "bad-syntax", f"an expression has at most {MAX_TOKENS:,} words and signs")
    _check_each(found)
    _check_brackets(found)
    return found


def plain_source(text: str, tokens: list[Token]) -> str:
    """Return Python source of the same length: every text blanked to ASCII, constants in Python's spelling, one line.

    So an offset in what Python parses is an offset in what the author wrote, whatever stands between the quotes.
    """
    pieces: list[str] = []
    at = 0
    for index, token in enumerate(tokens):
        if token.kind == "text" or token.text in _CONSTANTS:
            pieces += (text[at : token.start], _spelled(token, index > 0 and tokens[index - 1].text == "."))
            at = token.end
    return "".join((*pieces, text[at:])).translate(_ON_ONE_LINE)


def text_value(token: Token) -> str:
    r"""Return what a text in quotes stands for: \n \t \\ \' \" are escapes, any other backslash is itself."""
    return _ESCAPE.sub(lambda found: _ESCAPES[found[1]], token.text[1:-1])


def _scan(text: str) -> list[Token]:
    return [
        Token(found.lastgroup or "stray", found[0], *found.span())
        for found in _TOKEN.finditer(text)
        if found.lastgroup != "blank"
    ]


def _spelled(token: Token, is_field: bool) -> str:
    if token.kind == "text":
        return "'" + "x" * (len(token.text) - 2) + "'"
    return token.text if is_field else _CONSTANTS.get(token.text, token.text)


def _refused(start: int, end: int, rule: str, message: str, hint: str | None = None) -> ExpressionInvalid:
    return ExpressionInvalid(Complaint(start, end, rule, message, hint=hint))


def _at(token: Token, rule: str, message: str, hint: str | None = None) -> ExpressionInvalid:
    return _refused(token.start, token.end, rule, message, hint)


def _check_each(tokens: list[Token]) -> None:
    before: Token | None = None
    for index, token in enumerate(tokens):
        if token.kind == "mark":
            if token.text in _SUSPECT_MARKS:
                _check_mark(tokens, index)
        elif token.kind == "name":
            _check_name(token, before)
        elif token.kind == "text":
            _check_text(token, before)
        elif token.kind == "number":
            _check_number(token, before)
        else:
            raise _stray(token)
        before = token


def _check_mark(tokens: list[Token], index: int) -> None:
    token = tokens[index]
    if token.text == "<" and (name := _placeholder(tokens, index)):
        words = f"'<{name}>' is filled in only inside a text; in an expression write inputs.{name}"
        raise _refused(token.start, tokens[index + 2].end, "bad-syntax", words)
    if token.text == "{{" and index + 1 < len(tokens) and tokens[-1].text == "}}":
        raise _refused(token.start, token.end, *_SLIPS["{{"], hint="drop the braces")
    if slip := _SLIPS.get(token.text):
        raise _at(token, *slip)


def _placeholder(tokens: list[Token], index: int) -> str | None:
    """Return the name in `<name>` where no value stands before it, so that `<` cannot be a comparison."""
    before = tokens[index - 1] if index else None
    if before and (before.kind in ("text", "number") or before.text in (")", "]")):
        return None
    if before and before.kind == "name" and before.text not in _WORDS:
        return None
    following = tokens[index + 1 : index + 3]
    is_closed = len(following) == 2 and following[0].kind == "name" and following[1].text == ">"
    return following[0].text if is_closed else None


def _check_name(token: Token, before: Token | None) -> None:
    word = token.text
    if before and before.kind == "number" and before.end == token.start:
        raise _refused(before.start, token.end, "bad-syntax", f"'{before.text}{word}' is neither a number nor a name")
    if not iskeyword(word):
        return
    if before and before.text == ".":
        # Python would refuse the word without saying why; the field may well exist.
        raise _at(
            token, "bad-syntax", f"'{word}' is a word of the language: a field of that name is written a['{word}']"
        )
    if word == "is":
        raise _at(token, "not-allowed", "'is' is not part of the language: write '==' or '!='")
    if word not in _WORDS and word not in ("True", "False", "None"):
        words = f"'{word}' is not part of the language, and nothing can be called so"
        raise _at(token, "not-allowed", words, f"a field of that name is written a['{word}']")


def _check_text(token: Token, before: Token | None) -> None:
    if before and before.kind == "text":
        raise _at(token, "bad-syntax", "two texts stand side by side: put a comma between them, or '+' to join them")
    if before and before.kind == "name" and before.end == token.start and before.text not in _WORDS:
        raise _at(before, "not-allowed", f"a text has no prefix such as '{before.text}': it begins with its quote")


def _check_number(token: Token, before: Token | None) -> None:
    whole = token.text.split(".")[0]
    if len(whole) > 1 and whole.startswith("0") and whole.isdigit():
        words = f"'{token.text}' is no number: a number does not begin with 0, and a text stands in quotes"
        raise _at(token, "bad-syntax", words)
    if before and before.kind in ("number", "name") and before.end == token.start:
        words = f"'{before.text}{token.text}' is neither a number nor a name"
        raise _refused(before.start, token.end, "bad-syntax", words)


def _stray(token: Token) -> ExpressionInvalid:
    mark = token.text
    if mark in "'\"":
        words = f"this quote ({mark}) is never closed; a text ends on the line it begins on"
    elif mark in _QUOTE_LIKE:
        words = f"'{mark}' is a typographic quote: a text stands in straight quotes, ' or \""
    elif mark in _BLANK_LIKE:
        words = f"here stands an invisible character (U+{ord(mark):04X}): write a plain space"
    else:
        shown = f"'{mark}'" if mark.isprintable() else f"U+{ord(mark):04X}"
        words = f"{shown} means nothing here: names are a-z, 0-9 and _, and any other text stands in quotes"
    return _at(token, "bad-syntax", words)


def _check_brackets(tokens: list[Token]) -> None:
    opened: list[Token] = []
    for token in tokens:
        if token.kind != "mark":
            continue
        if token.text in ("(", "["):
            opened.append(token)
            if len(opened) > MAX_NESTING:
                raise _at(token, "bad-syntax", f"brackets stand at most {MAX_NESTING} deep")
        elif token.text in _PAIRS:
            _close(token, opened)
    if opened:
        raise _at(opened[-1], "bad-syntax", f"this '{opened[-1].text}' is never closed")


def _close(token: Token, opened: list[Token]) -> None:
    if not opened:
        raise _at(token, "bad-syntax", f"this '{token.text}' closes nothing")
    last = opened.pop()
    if last.text != _PAIRS[token.text]:
        raise _at(last, "bad-syntax", f"this '{last.text}' is never closed: a '{token.text}' comes first")
