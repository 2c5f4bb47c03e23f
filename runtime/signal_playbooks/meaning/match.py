"""Whether a post is what a query asks for, by the words that stand in it, and where they stand."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from signal_playbooks.content.vocabulary import Lexis, Vocabulary, key
from signal_playbooks.meaning.company import is_the_name
from signal_playbooks.meaning.inflection import base_form, inflections
from signal_playbooks.post import Post
from signal_playbooks.query import Query, Term
from signal_playbooks.text import fold, folded_pieces, is_unspaced, phrase_pieces, piece_spans

Role = Literal["must", "any", "hint"]

_READ = 50_000  # characters of a body that are looked at
_EARLY, _LATE = 300, 1_500  # characters into a body
_IN_BODY = 0.8  # of what a word in the title says
_ADJECTIVE = 0.4  # of what a noun or a verb says
_WEIGHTS: dict[Role, float] = {"must": 0.55, "any": 0.3, "hint": 0.15}


@dataclass(frozen=True, slots=True)
class MatchedTerm:
    """A term of the query that stands in the post: its role, where (in the title, else the body), and as written."""

    term: Term
    role: Role
    in_title: bool
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """What of the query stands in a post: required terms first, and how much the text is about it, 0 to 1."""

    terms: tuple[MatchedTerm, ...]
    score: float


@dataclass(frozen=True, slots=True)
class _Probe:
    """A term made ready: its folded pieces; `opens`: the last is only a beginning; `concept`: what it speaks of.

    Forms and synonyms of one word share a concept, of which `weight` says how much it tells.
    """

    term: Term
    pieces: tuple[str, ...]
    opens: bool
    ambiguous: bool
    concept: str
    weight: float


@dataclass(frozen=True, slots=True)
class _Field:
    """The title or the body, as pieces in order and as a set."""

    text: str
    pieces: list[str]
    bag: frozenset[str]
    in_title: bool


@dataclass(frozen=True, slots=True)
class _Hit:
    """A probe found in a field, from piece `place` on."""

    probe: _Probe
    role: Role
    field: _Field
    place: int


class _Probes:
    """Probes by their first piece, so that only those are looked for that may stand in a post."""

    def __init__(self, probes: Iterable[_Probe]) -> None:
        ordered = list(probes)
        self.concepts = {probe.concept: probe.weight for probe in ordered}
        self._opening = [(number, probe) for number, probe in enumerate(ordered) if probe.opens]
        self._by_first: dict[str, list[tuple[int, _Probe]]] = {}
        for number, probe in enumerate(ordered):
            if not probe.opens:
                self._by_first.setdefault(probe.pieces[0], []).append((number, probe))

    def found(self, fields: Sequence[_Field], role: Role) -> list[_Hit]:
        """Return the first place of each probe that stands in a field, in the order of the probes."""
        hits: dict[int, _Hit] = {}
        for field in fields:
            firsts = field.bag & self._by_first.keys()
            for number, probe in (*self._opening, *(entry for first in firsts for entry in self._by_first[first])):
                if number not in hits and (place := next(_places(probe, field), None)) is not None:
                    hits[number] = _Hit(probe, role, field, place)
        return [hits[number] for number in sorted(hits)]

    def covered(self, hits: Iterable[_Hit]) -> float | None:
        """Return how much of what the probes speak of was found, 0 to 1; None where they speak of nothing."""
        if not self.concepts:
            return None
        found: dict[str, float] = {}
        for hit in hits:
            told = hit.probe.weight * (1.0 if hit.field.in_title else _IN_BODY)
            found[hit.probe.concept] = max(found.get(hit.probe.concept, 0.0), told)
        return sum(found.values()) / sum(self.concepts.values())


class Matcher:
    """A query made ready to be held against many posts."""

    def __init__(self, query: Query, vocabulary: Vocabulary) -> None:
        self._lexis = vocabulary.lexis
        self._must = [[_probe(term, self._lexis, named=True) for term in group] for group in query.must]
        self._any = _Probes(_probe(term, self._lexis) for term in query.any)
        self._without = _Probes(_probe(term, self._lexis) for term in query.without)
        self._hints = _Probes(probe for hint in query.hints for probe in _hint_probes(hint, self._lexis))
        self._needs_any = not query.must

    def match(self, post: Post) -> Match | None:
        """Return what of the query stands in the post, None where something required is missing or unwanted stands."""
        fields = (_field(post.title, True), _field(post.body[:_READ], False))
        if not all(any(_may_stand(probe, fields) for probe in group) for group in self._must):
            return None
        wanted = self._any.found(fields, "any")
        if (self._needs_any and not wanted) or self._without.found(fields, "any"):
            return None
        required: list[_Hit] = []
        for group in self._must:
            hit = self._required(group, fields, bool(wanted))
            if hit is None:
                return None
            required.append(hit)
        hints = self._hints.found(fields, "hint")
        score = self._score(required, wanted, hints)
        return Match(tuple(_located([*required, *wanted, *hints])), round(score, 4))

    def _required(self, group: Sequence[_Probe], fields: Sequence[_Field], topical: bool) -> _Hit | None:
        """Return where the first alternative of a group stands, the title before the body."""
        for field in fields:
            for probe in group:
                for place in _places(probe, field):
                    if not probe.ambiguous or self._names(probe, field, place, fields, topical):
                        return _Hit(probe, "must", field, place)
        return None

    def _names(self, probe: _Probe, field: _Field, place: int, fields: Sequence[_Field], topical: bool) -> bool:
        spans = piece_spans(field.text)
        span = spans[place][0], spans[place + len(probe.pieces) - 1][1]
        bag = fields[0].bag | fields[1].bag
        return is_the_name(field.text, span, bag - set(probe.pieces), self._lexis, topical)

    def _score(self, required: Sequence[_Hit], wanted: Sequence[_Hit], hints: Sequence[_Hit]) -> float:
        """Return how much of the query the post holds; a part that the query does not have costs nothing."""
        parts: dict[Role, float | None] = {
            "must": sum(map(_prominence, required)) / len(required) if required else None,
            "any": self._any.covered(wanted),
            "hint": self._hints.covered(hints),
        }
        asked = {role: part for role, part in parts.items() if part is not None}
        return sum(_WEIGHTS[role] * part for role, part in asked.items()) / sum(_WEIGHTS[role] for role in asked)


def match(query: Query, post: Post, vocabulary: Vocabulary) -> Match | None:
    """Return what of the query stands in one post; for many posts make one Matcher."""
    return Matcher(query, vocabulary).match(post)


def _probe(term: Term, lexis: Lexis, *, named: bool = False) -> _Probe:
    pieces = tuple(piece.folded for piece in phrase_pieces(term.text))
    alone = len(pieces) > 0 and len(pieces[-1]) == 1 and is_unspaced(pieces[-1])
    ambiguous = (
        named and len(pieces) == 1 and term.text[:1].isupper() and not term.phrase and _is_ordinary(pieces[0], lexis)
    )
    base = base_form(fold(term.text), lexis) or fold(term.text)
    weight = _ADJECTIVE if base in lexis.adjectives else 1.0
    return _Probe(term, pieces, term.prefix or alone, ambiguous, _concept(base, term, lexis), weight)


def _concept(base: str, term: Term, lexis: Lexis) -> str:
    """Return one name for a word, its forms and its synonyms."""
    group = lexis.synonyms.get(key(term.text)) or lexis.synonyms.get(base)
    return group[0].text if group else base


def _is_ordinary(word: str, lexis: Lexis) -> bool:
    return word in lexis.names_too or (word in lexis.ordinary and word not in lexis.synonyms)


def _hint_probes(hint: str, lexis: Lexis) -> Iterator[_Probe]:
    for form in inflections(fold(hint), lexis) if hint.isalpha() else [hint]:
        if (probe := _probe(Term(form), lexis)).pieces:
            yield probe


def _field(text: str, in_title: bool) -> _Field:
    pieces = folded_pieces(text)
    return _Field(text, pieces, frozenset(pieces), in_title)


def _may_stand(probe: _Probe, fields: Iterable[_Field]) -> bool:
    return probe.opens or any(probe.pieces[0] in field.bag for field in fields)


def _places(probe: _Probe, field: _Field) -> Iterator[int]:
    """Yield every place at which the probe's pieces stand side by side in the field."""
    first, size = probe.pieces[0], len(probe.pieces)
    if probe.opens:
        last = probe.pieces[-1]
        for end, piece in enumerate(field.pieces[size - 1 :], start=size - 1):
            if piece.startswith(last) and tuple(field.pieces[end - size + 1 : end]) == probe.pieces[:-1]:
                yield end - size + 1
        return
    place = -1
    for _ in range(field.pieces.count(first)):
        place = field.pieces.index(first, place + 1)
        if size == 1 or tuple(field.pieces[place : place + size]) == probe.pieces:
            yield place


def _prominence(hit: _Hit) -> float:
    """Return 1 for a name in the title, less the later it comes in a body (a word is taken as six characters)."""
    if hit.field.in_title:
        return 1.0
    into = hit.place * 6
    return 0.85 if into < _EARLY else 0.7 if into < _LATE else 0.5


def _located(hits: Sequence[_Hit]) -> Iterator[MatchedTerm]:
    """Yield the hits with their places in characters; of several at one place only the first."""
    spans: dict[bool, list[tuple[int, int]]] = {}
    seen: set[tuple[bool, int]] = set()
    for hit in hits:
        field = hit.field
        if (field.in_title, hit.place) in seen:
            continue
        seen.add((field.in_title, hit.place))
        if field.in_title not in spans:
            spans[field.in_title] = piece_spans(field.text)
        found = spans[field.in_title]
        start, end = found[hit.place][0], found[hit.place + len(hit.probe.pieces) - 1][1]
        yield MatchedTerm(hit.probe.term, hit.role, field.in_title, start, end, field.text[start:end])
