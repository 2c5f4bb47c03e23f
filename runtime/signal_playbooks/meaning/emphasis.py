"""How much a place in a post counts: less when quoted, far down or denied, more in its title and first sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from signal_playbooks.text import Word

# What is not the author's own voice, and how much of it counts.
_QUOTED, _CITED, _FOREIGN = 0.2, 0.1, 0.0
_MAY_BE_APART = re.compile(r"[`\"“«„「『>]|://")
_APART = re.compile(
    r"(?P<code>```.*?(?:```|\Z)|`[^`\n]{1,300}`|https?://\S+)"
    r"|(?P<cited>^[ \t]*>[^\n]*)"
    r"|\"(?=\S)[^\"\n]{12,600}\"|“[^”]{12,600}”|„[^“”]{12,600}[“”]|«[^»]{12,600}»|「[^」]{6,600}」|『[^』]{6,600}』",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？\n]")
_QUESTION = re.compile(r"[?？]|か(?=[。\n]|\Z)")
_CLAUSE_END = re.compile(r"[.,;:!?()\n。、，！？—]|\s[–-]\s")
_OPENING_LIMIT = 160
_FAR = 1_200

_DENIALS = frozenset(
    [
        "not",
        "never",
        "no",
        "without",
        "neither",
        "nor",
        "hardly",
        "barely",
        "cannot",
        "ain't",
        "nobody",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "keinem",
        "keiner",
        "nie",
        "niemals",
        "ohne",
        "weder",
        "ne",
        "n'",
        "pas",
        "jamais",
        "aucun",
        "aucune",
        "sans",
        "ni",
        "nunca",
        "jamás",
        "sin",
        "tampoco",
        "ningún",
        "ninguna",
        "não",
        "nem",
        "sem",
        "nenhum",
        "nenhuma",
    ]
)
# "Not only good", "why not", "no doubt": these deny nothing.
_NO_DENIAL = frozenset(
    [
        "only",
        "just",
        "sure",
        "wonder",
        "doubt",
        "question",
        "seulement",
        "nur",
        "solo",
        "sólo",
        "só",
        "apenas",
        "brainer",
        "matter",
        "to",
    ]
)
_DENIED_AFTER = frozenset(["nicht", "pas", "jamais", "ない", "ませ", "せん", "なく"])
_DENIED_BEFORE_UNSPACED = ("不", "没", "沒", "别", "別", "无")
_REACH = 3

OPENING, DENIED, FAR = 1.25, 0.0, 0.6


@dataclass(frozen=True, slots=True)
class Question:
    """A question in the author's own voice: where its sentence stands, and whether it opens or closes the post."""

    start: int
    end: int
    opens: bool
    closes: bool


class Emphasis:
    """The weights of one post's places. `text` is title and body, a title of `title_length` characters first."""

    def __init__(self, text: str, title_length: int, found: Sequence[Word]) -> None:
        self._text = text
        self._words = found
        self._apart = _apart(text)
        self._opening = _opening(text, title_length)

    def of(self, start: int, end: int) -> float:
        """Return how much the words from `start` up to `end` count, 0 to 1.25; 0 where they are denied."""
        at = self._words[start].start
        if self.is_denied(start, end):
            return DENIED
        weight = OPENING if at < self._opening else FAR if at > _FAR else 1.0
        return weight * self.voice(at)

    def voice(self, at: int) -> float:
        """Return how much of what stands at this character is the author's own voice: 1, less where quoted."""
        for start, end, weight in self._apart:
            if start <= at < end:
                return weight
        return 1.0

    def is_denied(self, start: int, end: int) -> bool:
        """Tell whether a word shortly before (or, as some languages do, after) denies these words in their clause."""
        for place in range(start - 1, max(start - 1 - _REACH, -1), -1):
            if self._denies(place) and not self._parts(place, start):
                return True
        after = range(end, min(end + 2, len(self._words)))
        return any(self._words[place].folded in _DENIED_AFTER and not self._parts(end - 1, place) for place in after)

    def _denies(self, place: int) -> bool:
        word = self._words[place].folded
        if word.startswith(_DENIED_BEFORE_UNSPACED):
            return True
        if word not in _DENIALS and not word.endswith("n't"):
            return False
        following = self._words[place + 1].folded if place + 1 < len(self._words) else ""
        before = self._words[place - 1].folded if place else ""
        return following not in _NO_DENIAL and before != "why"

    def _parts(self, left: int, right: int) -> bool:
        """Tell whether a clause ends between two words."""
        return bool(_CLAUSE_END.search(self._text, self._words[left].end, self._words[right].start))

    def questions(self) -> list[Question]:
        """Return the author's questions in order, at most ten."""
        if "?" not in self._text and "？" not in self._text and "か" not in self._text:
            return []
        found: list[Question] = []
        for mark in _QUESTION.finditer(self._text):
            if self.voice(mark.start()) < 1.0 or len(found) == 10:
                continue
            closes = len(self._text) - mark.end() < 60
            found.append(Question(self._sentence_start(mark.start()), mark.end(), mark.start() < self._opening, closes))
        return found

    def _sentence_start(self, at: int) -> int:
        begin = max(at - 300, 0)
        ends = [m.end() for m in _SENTENCE_END.finditer(self._text, begin, at)]
        return ends[-1] if ends else begin


def _apart(text: str) -> list[tuple[int, int, float]]:
    """Return the stretches that are code, addresses or somebody else's words, with what each counts; at most 50."""
    if not _MAY_BE_APART.search(text):
        return []
    found: list[tuple[int, int, float]] = []
    for m in _APART.finditer(text):
        weight = _FOREIGN if m["code"] else _CITED if m["cited"] else _QUOTED
        found.append((m.start(), m.end(), weight))
        if len(found) == 50:
            break
    return found


def _opening(text: str, title_length: int) -> int:
    """Return where the title, or without one the first sentence, ends."""
    if title_length:
        return title_length
    end = _SENTENCE_END.search(text.lstrip() and text, 0, _OPENING_LIMIT)
    return end.end() if end else min(len(text), _OPENING_LIMIT)
