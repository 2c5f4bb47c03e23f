"""Phrases of a list looked for in a text: words, word* for any ending, … for up to three words in between."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from signal_playbooks.text import Word, fold, is_unspaced, words

_GAP = 3  # words that … may stand for
_GAP_SIGN = "…"
_BEGINNING = 3  # letters that a word* has at least


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase that stands in a text: the group it belongs to, itself, and its place in characters and in words."""

    group: str
    phrase: str
    start: int
    end: int
    word: int


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A phrase made ready; `parts` are folded words, such with * at the end, and the sign of a gap."""

    group: str
    phrase: str
    parts: tuple[str, ...]


class PhraseFinder:
    """Groups of phrases made ready to be looked for in many texts; none of them begins with a gap."""

    def __init__(self, groups: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._by_word: dict[str, list[_Pattern]] = {}
        self._by_beginning: dict[str, list[_Pattern]] = {}
        self._unspaced: list[_Pattern] = []
        for group, listed in groups:
            for phrase in listed:
                self._add(_Pattern(group, phrase, _parts(phrase)))

    def _add(self, pattern: _Pattern) -> None:
        first = pattern.parts[0]
        if is_unspaced(first):
            self._unspaced.append(pattern)
        elif first.endswith("*"):
            self._by_beginning.setdefault(first[:_BEGINNING], []).append(pattern)
        else:
            self._by_word.setdefault(first, []).append(pattern)

    def find(self, text: str, told: Sequence[Word] | None = None) -> list[Found]:
        """Return the phrases that stand in the text, in order; of two that overlap the longer one."""
        told = words(text) if told is None else told
        found = [*self._spaced(told), *self._run_together(text)]
        found.sort(key=lambda one: (one.start, one.start - one.end))
        return list(_apart(found))

    def _spaced(self, told: Sequence[Word]) -> Iterator[Found]:
        for number, word in enumerate(told):
            candidates = self._by_word.get(word.folded, ())
            beginnings = self._by_beginning.get(word.folded[:_BEGINNING], ())
            for pattern in (*candidates, *beginnings):
                last = _last_word(pattern.parts, told, number)
                if last is not None:
                    yield Found(pattern.group, pattern.phrase, word.start, told[last].end, number)

    def _run_together(self, text: str) -> Iterator[Found]:
        if text.isascii():
            return
        lowered = text.lower()
        lowered = lowered if len(lowered) == len(text) else text  # places have to fit
        for pattern in self._unspaced:
            start = lowered.find(pattern.parts[0])
            while start >= 0:
                end = start + len(pattern.parts[0])
                yield Found(pattern.group, pattern.phrase, start, end, -1)
                start = lowered.find(pattern.parts[0], end)


def _parts(phrase: str) -> tuple[str, ...]:
    if is_unspaced(phrase):
        return (fold(phrase),)
    parts: list[str] = []
    for written in phrase.split():
        if written == _GAP_SIGN:
            parts.append(_GAP_SIGN)
            continue
        parts.extend(word.folded for word in words(written))
        if written.endswith("*"):
            parts[-1] += "*"
    return tuple(parts)


def _last_word(parts: Sequence[str], told: Sequence[Word], number: int) -> int | None:
    """Return the number of the last word if the parts stand from word `number` on, else None."""
    for place, part in enumerate(parts):
        if part == _GAP_SIGN:
            rest = parts[place + 1 :]
            ends = (_last_word(rest, told, number + skipped) for skipped in range(_GAP + 1))
            return next((end for end in ends if end is not None), None)
        if number >= len(told) or not _fits(part, told[number].folded):
            return None
        number += 1
    return number - 1


def _fits(part: str, folded: str) -> bool:
    return folded == part or (part.endswith("*") and folded.startswith(part[:-1]))


def _apart(found: Sequence[Found]) -> Iterator[Found]:
    end = -1
    for one in found:
        if one.start >= end:
            yield one
            end = one.end
