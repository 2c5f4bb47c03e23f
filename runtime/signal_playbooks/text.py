"""Text as it is compared and cut: folded words and their places, unspaced scripts as pairs, cuts that break nothing."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

ELLIPSIS = "…"

# Scripts written without blanks between words: Han, kana, Thai, Lao, Myanmar, Khmer: letters and marks, no digits.
_UNSPACED = (
    "\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u108f\u109a-\u109f\u1780-\u17d3\u17dc\u17dd"
)
# The blocks of India share one layout of 128 places; these are the signs in it.
_INDIC_MARKS = "".join(
    f"{chr(block)}-{chr(block + 3)}{chr(block + 0x3C)}{chr(block + 0x3E)}-{chr(block + 0x4F)}{chr(block + 0x51)}-"
    f"{chr(block + 0x57)}{chr(block + 0x62)}{chr(block + 0x63)}"
    for block in range(0x0900, 0x0E00, 0x80)
)
# `\w` leaves out combining marks, yet a word goes on after them (and after the joiners of Persian and Hindi).
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u0823"
    f"\u0825-\u082d\u0859-\u085b\u0898-\u089f\u08ca-\u08ff{_INDIC_MARKS}\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc"
    "\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc\u102b-\u103e"
    "\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f"
    "\u17b4-\u17d3\u17dd\u180b-\u180d\u1a17-\u1a1b\u1ab0-\u1aff\u1b00-\u1b04\u1b34-\u1b44\u1dc0-\u1dff\u200c\u200d"
    "\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
)
# The sign itself comes first in each, so that a pattern fails at once where there is none.
_NAMED_SIGNS = r"\+\+|\#(?<=\b[CFJcfj]\#)(?![^\W\d_])"  # C++, g++, C#, F#
_DOT_NET = r"\.(?<![\w.]\.)(?:NET|Net|net)(?!\w)"
# A French or Catalan elision is a word of its own: l'outil, j'ai, qu'il.
_ELISION = r"(?:[CDJLMNSTcdjlmnst]|[Qq]u|[Jj]usqu|[Ll]orsqu|[Pp]uisqu)['’](?=[^\W\d_])"
_JOINER = r"['’](?=[^\W\d_])|\.(?=[^\W\d_A-Z])|[.,](?<=\d.)(?=\d)"
_ASCII_WORD = re.compile(rf"{_ELISION}|[A-Za-z0-9]+(?:(?:{_JOINER})[A-Za-z0-9]+)*(?:{_NAMED_SIGNS})?|{_DOT_NET}")
_RUN = rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*"
_WORD = re.compile(rf"{_ELISION}|{_RUN}(?:(?:{_JOINER}){_RUN})*(?:{_NAMED_SIGNS})?|{_DOT_NET}")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_MARK = re.compile(f"[{_MARKS}]")
_PLAIN_PIECE = re.compile(rf"[^\W_]+(?:{_NAMED_SIGNS})?|{_DOT_NET}")
# Zero-width blanks and joins between words, and the marks that turn the reading direction.
_DECEIVING = re.compile("[\u200b\u200e\u200f\u061c\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_PIECE = re.compile(r"[^'’.,]+")
_SPELLED = str.maketrans({"+": "plus", "#": "sharp", ".": "dot"})

_EXTENDING = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U000e0100-\U000e01ef\uff9e\uff9f]"
)
_PREPENDED = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd]")
_FLAG_HALVES = ("\U0001f1e6", "\U0001f1ff")
_VIRAMA = 9  # the canonical combining class of the sign that ties an Indian consonant to the next
_LONGEST_STEP_BACK = 60  # a word longer than this (an address) may be cut inside
_LOOSE_END = " \t\n\r,;:–—-([{«“„"
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
# Tag characters are invisible and spell ASCII: kept only where they spell a flag (🏴 and the region's letters).
_HIDDEN_TAGS = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]+\U000e007f)|[\U000e0000-\U000e007f]")


class Word(NamedTuple):
    """A word as written, as it is compared, and where it stands (`text[start:end]`, in characters)."""

    text: str
    folded: str
    start: int
    end: int


def fold(text: str) -> str:
    """Return the text as it is compared: NFKC, case folded, one kind of apostrophe."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded).replace("’", "'")


def words(text: str) -> list[Word]:
    """Return the words in order: `don't`, `node.js`, `C#`, `C++`, `.NET` whole, hyphens split, unspaced scripts as
    overlapping pairs of characters (a character that stands alone as itself)."""
    if text.isascii():
        return [Word(m[0], m[0].lower(), *m.span()) for m in _ASCII_WORD.finditer(text)]
    found: list[Word] = []
    for m in _WORD.finditer(text):
        if m[0].isascii() or not _UNSPACED_RUN.search(m[0]):
            found.append(Word(m[0], fold(m[0]), *m.span()))
        else:
            found.extend(_mixed(text, m.start(), m.end()))
    return found


def pieces(text: str) -> list[Word]:
    """Return the words as they are indexed and matched.

    They are split at every sign inside (`node.js` is two), and after each unspaced run its last character follows once
    more alone, so that any single character of such a run begins some piece.
    """
    if _is_plain(text):
        return [Word(m[0], fold(m[0]), *m.span()) for m in _PLAIN_PIECE.finditer(text)]
    found: list[Word] = []
    for word in words(text):
        if found and word.start >= found[-1].end:
            found.extend(_last_character(found[-1]))
        found.extend(_split(word))
    if found:
        found.extend(_last_character(found[-1]))
    return found


def folded_pieces(text: str) -> list[str]:
    """Return what `pieces` returns, only as it is compared: several times as fast."""
    if not _is_plain(text):
        return [piece.folded for piece in pieces(text)]
    found = _PLAIN_PIECE.findall(text)
    return fold("\n".join(found)).split("\n") if found else []


def piece_spans(text: str) -> list[tuple[int, int]]:
    """Return where each of the `pieces` stands (start, end)."""
    if _is_plain(text):
        return [m.span() for m in _PLAIN_PIECE.finditer(text)]
    return [(piece.start, piece.end) for piece in pieces(text)]


def phrase_pieces(text: str) -> list[Word]:
    """Return the pieces that stand side by side wherever this text stands in a longer one.

    Where the last is one character of an unspaced script (`is_unspaced`), a piece of the longer text begins with it.
    """
    run = pieces(text)
    return run[:-1] if len(run) > 1 and run[-2].start < run[-1].start < run[-2].end else run


def index_text(text: str) -> str:
    """Return what a full-text index of whole tokens (SQLite's unicode61) is given: only letters, digits and blanks."""
    return " ".join(filter(None, map(token, folded_pieces(text))))


def index_phrase(text: str) -> list[str]:
    """Return the tokens that stand side by side in `index_text` of every text in which this one stands.

    A last token that is one character of an unspaced script (`is_unspaced`) has to be asked as a prefix.
    """
    return [found for piece in phrase_pieces(text) if (found := token(piece.folded))]


def token(folded: str) -> str:
    """Return a folded piece as the index keeps it: `c#` spelled `csharp`, marks that are no letters left out."""
    if folded.isalnum():
        return folded
    spelled = folded.translate(_SPELLED) if folded.isascii() else folded
    return "".join(filter(str.isalnum, spelled))


def is_unspaced(text: str) -> bool:
    """Tell whether the text begins with a character of a script that is written without blanks."""
    return not text.isascii() and bool(_UNSPACED_RUN.match(text))


def jaccard(a: str, b: str) -> float:
    """Return how many of the different words of both texts stand in each, 0 to 1; 0 where neither has any."""
    left, right = ({word.folded for word in words(text)} for text in (a, b))
    together = len(left | right)
    return len(left & right) / together if together else 0.0


def clean(text: str) -> str:
    """Return the text as valid UTF-8 without control characters: line ends are LF, halves of surrogate pairs are
    joined or replaced by U+FFFD, invisible tag characters are left out unless they spell a flag."""
    if text.isascii() and text.isprintable():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))
    return _HIDDEN_TAGS.sub(lambda m: m[1] or "", text)


def visible(text: str) -> str:
    """Return the text as it may be shown: clean, and without the characters that hide or reorder what stands there.

    A person who approves an act has to see what is sent, in the order it is sent in.
    """
    return text if text.isascii() and text.isprintable() else _DECEIVING.sub("", clean(text))


def cut(text: str, limit: int, *, around: tuple[int, int] | None = None) -> str:
    """Return at most `limit` characters of the text, cut between words and marked with `…` on each cut side.

    `around` (start, end) is the part that has to be seen; without it the text is kept from its beginning. A cluster
    (a family emoji, a flag, a letter with its marks) is never broken; a word is, if it is longer than 60 characters.
    """
    if len(text) <= limit:
        return text
    if limit < 1:
        return ""
    begin = _window_start(text, limit, around) if around else 0
    lead = ELLIPSIS if begin else ""
    room = limit - len(lead)
    if len(text) - begin <= room:
        return lead + text[begin:]
    end = _word_end(text, begin, begin + room - len(ELLIPSIS))
    return (lead + text[begin:end].rstrip(_LOOSE_END) + ELLIPSIS)[:limit]


def breaks_at(text: str, place: int) -> bool:
    """Tell whether the text may be cut before `text[place]` without breaking what is seen as one character."""
    if place <= 0 or place >= len(text):
        return True
    before, after = text[place - 1], text[place]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if _extends(after):
        return unicodedata.category(before) in ("Cc", "Zl", "Zp")
    return not _tied(text, place, before, after)


def _extends(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc", "Me") or bool(_EXTENDING.match(character))


def _tied(text: str, place: int, before: str, after: str) -> bool:
    if before == "\u200d" or _PREPENDED.match(before):
        return not after.isspace()
    if "\ud800" <= before <= "\udbff":
        return "\udc00" <= after <= "\udfff"
    if _FLAG_HALVES[0] <= before <= _FLAG_HALVES[1] and _FLAG_HALVES[0] <= after <= _FLAG_HALVES[1]:
        return _halves_before(text, place) % 2 == 1
    if unicodedata.combining(before) == _VIRAMA:
        return unicodedata.category(after) == "Lo"
    return _is_one_syllable(before, after)


def _halves_before(text: str, place: int) -> int:
    start = place
    while start and _FLAG_HALVES[0] <= text[start - 1] <= _FLAG_HALVES[1]:
        start -= 1
    return place - start


def _is_one_syllable(before: str, after: str) -> bool:
    """Tell whether two Hangul characters make one syllable: leading, vowel and trailing jamo, or a syllable begun."""
    if "\u1100" <= before <= "\u115f" or "\ua960" <= before <= "\ua97c":
        return "\u1100" <= after <= "\u11a7" or "\ua960" <= after <= "\ua97c" or "\uac00" <= after <= "\ud7a3"
    vowel = "\u1160" <= after <= "\u11a7" or "\ud7b0" <= after <= "\ud7c6"
    trailing = "\u11a8" <= after <= "\u11ff" or "\ud7cb" <= after <= "\ud7fb"
    if "\uac00" <= before <= "\ud7a3":
        return trailing or (vowel and (ord(before) - 0xAC00) % 28 == 0)
    if "\u1160" <= before <= "\u11a7" or "\ud7b0" <= before <= "\ud7c6":
        return vowel or trailing
    return trailing and ("\u11a8" <= before <= "\u11ff" or "\ud7cb" <= before <= "\ud7fb")


def _is_between_words(text: str, place: int) -> bool:
    if place <= 0 or place >= len(text):
        return True
    before, after = text[place - 1], text[place]
    return before.isspace() or after.isspace() or is_unspaced(before) or is_unspaced(after)


def _word_end(text: str, begin: int, place: int) -> int:
    """Return the last place not after `place` where a word ends, or, in a very long one, where a cluster does."""
    hard = -1
    for candidate in range(place, begin, -1):
        if hard >= 0 and hard - candidate > _LONGEST_STEP_BACK:
            return hard
        if breaks_at(text, candidate):
            if _is_between_words(text, candidate):
                return candidate
            hard = max(hard, candidate)
    return max(hard, begin)


def _window_start(text: str, limit: int, around: tuple[int, int]) -> int:
    """Return where a window begins that shows the part, a third of the spare room before it; 0 near the beginning."""
    start, end = (min(max(place, 0), len(text)) for place in around)
    spare = max(limit - 2 - (end - start), 0)
    begin = max(min(start - spare // 3, len(text) - (limit - 1)), 0)
    if begin <= 1 or (end <= limit - 1 and begin < spare // 6):
        return 0
    for candidate in range(begin, start + 1):
        if (
            breaks_at(text, candidate)
            and _is_between_words(text, candidate)
            and not text[candidate : candidate + 1].isspace()
        ):
            return candidate
    while not breaks_at(text, start):
        start -= 1
    return start


def _is_plain(text: str) -> bool:
    """Tell whether every word is a run of letters and digits, without marks and with blanks between words."""
    return text.isascii() or not (_UNSPACED_RUN.search(text) or _MARK.search(text))


def _mixed(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield the words of a run in which scripts with and without blanks touch: `iPhone修理` is `iphone` and `修理`."""
    while start < end:
        unspaced = _UNSPACED_RUN.search(text, start, end)
        until = unspaced.start() if unspaced else end
        for m in _WORD.finditer(text, start, until):
            yield Word(m[0], fold(m[0]), *m.span())
        if unspaced:
            yield from _pairs(text, until, unspaced.end())
        start = unspaced.end() if unspaced else end


def _pairs(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield the overlapping pairs of a run of an unspaced script, by what is seen as one character each."""
    edges = [place for place in range(start, end) if place == start or not _extends(text[place])] + [end]
    for first, last in zip(edges, edges[2:] or edges[1:], strict=False):
        pair = text[first:last]
        yield Word(pair, fold(pair), first, last)


def _last_character(word: Word) -> Iterator[Word]:
    """Yield the second character of a pair of an unspaced script, nothing for any other word."""
    if word.text.isascii() or not is_unspaced(word.text):
        return
    at = next(place for place in range(len(word.text) - 1, -1, -1) if place == 0 or not _extends(word.text[place]))
    if at:
        yield Word(word.text[at:], fold(word.text[at:]), word.start + at, word.end)


def _split(word: Word) -> Iterator[Word]:
    if word.folded.isalnum() or word.text[0] == ".":
        yield word
        return
    for m in _PIECE.finditer(word.text):
        yield Word(m[0], fold(m[0]), word.start + m.start(), word.start + m.end())
