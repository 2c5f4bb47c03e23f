"""Whether an everyday word is a product's name where it stands: told by its capital and the company it keeps."""

import re
from collections.abc import Set as AbstractSet

from signal_playbooks.content.vocabulary import Lexis

_BEFORE = 40  # characters that are looked at before the word
_SENTENCE_START = re.compile(r"(?:^|[.!?:…\n\"“(\[>*-])\s*$")
_DETERMINER = re.compile(
    r"\b(?:an?|the|this|that|these|those|each|every|some|any|no|one|der|die|das|ein|eine|einen|le|la|les|un|une|el|los|una|o|um"
    r"|uma)\s+$",
    re.IGNORECASE,
)
_ADDRESS_BEFORE = re.compile(r"[@#/.]$")
_ADDRESS_AFTER = re.compile(r"\.(?:com|io|app|dev|ai|co|net|org|so|example)\b", re.IGNORECASE)
_CAPITAL_SHARE = 0.6  # of the words of a line from which on its capitals say nothing


def is_the_name(text: str, span: tuple[int, int], others: AbstractSet[str], lexis: Lexis, topical: bool) -> bool:
    """Tell whether the word at `span` is the product.

    `others` are the folded pieces of the whole post without the word itself; `topical`: some other word of the query
    stands in the post too.
    """
    start, end = span
    before = text[max(start - _BEFORE, 0) : start]
    if _ADDRESS_BEFORE.search(before) or _ADDRESS_AFTER.match(text, end):
        return True
    common = bool(_DETERMINER.search(before))
    if not text[start].isupper():
        return not common and _company(others, lexis) > 0 and (topical or _company(others, lexis) > 1)
    if common or _SENTENCE_START.search(before) or _capitals_say_nothing(text, start):
        return topical or _company(others, lexis) > 0
    return True


def _company(others: AbstractSet[str], lexis: Lexis) -> int:
    """Return how many of the words that stand beside products stand in the post; a phrase counts by all its words."""
    runs = [phrase for phrase in lexis.company if " " in phrase and others >= set(phrase.split())]
    return len(others & lexis.company) + len(runs)


def _capitals_say_nothing(text: str, place: int) -> bool:
    line = text[text.rfind("\n", 0, place) + 1 :].split("\n", 1)[0]
    found = [word for word in line[:400].split() if word[:1].isalpha()]
    return len(found) > 2 and sum(word[0].isupper() for word in found) / len(found) > _CAPITAL_SHARE
