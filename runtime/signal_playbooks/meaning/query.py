"""A wish in plain words read into what has to stand in a post, what may, what must not, and what it is after."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from signal_playbooks.content.vocabulary import Lexis, Vocabulary
from signal_playbooks.contract.vocabulary import FRESHNESS_SECONDS, Freshness, Intent
from signal_playbooks.errors import ArgumentError, InvalidArguments
from signal_playbooks.meaning.inflection import inflections
from signal_playbooks.meaning.names import Name, find_names, is_name_alone
from signal_playbooks.meaning.wish import Unit, units
from signal_playbooks.query import Query, Term
from signal_playbooks.text import clean, fold, phrase_pieces

LONGEST = 2_000  # characters
_SHORT_WISH = 2  # words, of which all are meant
_MOST_NAMES = 3  # nobody writes more names than this into one post: then any of them will do
_MOST_TERMS = 64

Group = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A query as the answer's plan shows it: alternatives joined by OR, hints with what they were taken to mean."""

    must: tuple[str, ...]
    any: tuple[str, ...]
    without: tuple[str, ...]
    phrases: tuple[str, ...]
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Wish:
    """The parts of a wish by the role they play; `groups` are explicit alternatives, each a list of units."""

    quoted: tuple[Unit, ...]
    names: tuple[Name, ...]
    alternatives: tuple[tuple[Unit, ...], ...]
    plain: tuple[Unit, ...]
    hints: tuple[Unit, ...]


def read_query(text: str, vocabulary: Vocabulary, *, now: datetime, freshness: Freshness) -> Query:
    """Return the wish, read; `since` is `now` less the freshness, None for any.

    Raises InvalidArguments where nothing in it can be looked for, or where it is longer than 2,000 characters.
    """
    if len(text) > LONGEST:
        raise _refused(
            f"The query has {len(text):,} characters; at most {LONGEST:,} are read.", "Say it in fewer words."
        )
    lexis = vocabulary.lexis
    said = units(clean(text), lexis)
    wanted = [unit for unit in said if not unit.excluded]
    wish = _weighed(_sorted_out(wanted, lexis), lexis)
    must, any_ = _required(wish, lexis)
    if not must and not any_:
        raise _nothing_to_look_for(said)
    return Query(
        text=text,
        must=must,
        any=any_[:_MOST_TERMS],
        without=tuple(_unique(_term(unit) for unit in said if unit.excluded)),
        hints=tuple(dict.fromkeys(unit.text for unit in wish.hints)),
        intents=_intents(wanted),
        since=_since(now, freshness),
    )


def explain(query: Query, vocabulary: Vocabulary) -> Explanation:
    """Return the query as the answer's plan shows it."""
    phrases = [group[0] for group in query.must if len(group) == 1 and group[0].phrase]
    groups = [group for group in query.must if not (len(group) == 1 and group[0].phrase)]
    return Explanation(
        must=tuple(" OR ".join(map(str, group)) for group in groups),
        any=tuple(map(str, query.any)),
        without=tuple(map(str, query.without)),
        phrases=tuple(term.text for term in phrases),
        hints=tuple(_explained(hint, vocabulary.lexis) for hint in query.hints),
    )


def _refused(message: str, action: str) -> InvalidArguments:
    return InvalidArguments(message, [ArgumentError("query", message)], action)


def _nothing_to_look_for(said: Sequence[Unit]) -> InvalidArguments:
    action = "Add a word that the posts themselves contain, such as a product's name: Plinthly pricing -jobs"
    if any(unit.kind == "qualifier" for unit in said):
        return _refused("The query only narrows a search and names nothing to look for.", f"{action}.")
    if any(unit.excluded for unit in said):
        return _refused("The query only says what to leave out, not what to look for.", action)
    if said:
        return _refused("The query has only words that stand in every post, so there is nothing to look for.", action)
    return _refused("The query has no word in it.", action)


def _since(now: datetime, freshness: Freshness) -> datetime | None:
    seconds = FRESHNESS_SECONDS.get(freshness)
    return None if seconds is None else now - timedelta(seconds=seconds)


def _intents(wanted: Iterable[Unit]) -> tuple[Intent, ...]:
    return tuple(dict.fromkeys(intent for unit in wanted if unit.known for intent in unit.known.intents))


def _explained(hint: str, lexis: Lexis) -> str:
    unit = next(iter(units(hint, lexis)), None)
    if unit is None or unit.known is None:
        return f"{hint} → not read here; scope narrows a listen" if ":" in hint else hint
    meanings = {"audience": "who speaks", "unwritten": "seldom written", "place": "where; scope.sources chooses"}
    return f"{hint} → {', '.join(unit.known.intents) or meanings.get(unit.known.meaning, 'only ranks')}"


def _sorted_out(wanted: Sequence[Unit], lexis: Lexis) -> _Wish:
    """Give every unit its role; what hangs together by OR goes first, then names, then ordinary words and hints."""
    alternatives = [group for group in _linked(wanted) if not all(unit.is_hint for unit in group)]
    taken = {id(unit) for group in alternatives for unit in group}
    rest = [unit for unit in wanted if id(unit) not in taken]
    hiring = "hiring" in _intents(wanted)
    names = find_names(rest, wanted, lexis)
    taken |= {id(unit) for name in names for unit in name.run}
    rest = [unit for unit in rest if id(unit) not in taken]
    plain = [unit for unit in rest if _is_plain(unit, hiring)]
    return _Wish(
        quoted=tuple(unit for unit in rest if unit.kind in ("quoted", "prefix")),
        names=tuple(names),
        alternatives=tuple(alternatives),
        plain=tuple(plain),
        hints=tuple(unit for unit in rest if (unit.is_hint and unit not in plain) or unit.kind == "qualifier"),
    )


def _weighed(wish: _Wish, lexis: Lexis) -> _Wish:
    """Return the wish with adjectives that say little (small, new) among the hints, where other words say more."""
    light = [unit for unit in wish.plain if unit.key in lexis.adjectives and unit.key not in lexis.synonyms]
    if _is_short(wish) or len(light) == len(wish.plain):
        return wish
    plain = tuple(unit for unit in wish.plain if unit not in light)
    return replace(wish, plain=plain, hints=(*wish.hints, *light))


def _is_plain(unit: Unit, hiring: bool) -> bool:
    if unit.is_hint:
        # Who wants to hire looks for a kind of people: there they are the subject.
        return hiring and unit.known is not None and unit.known.meaning == "audience"
    return unit.kind in ("ordinary", "number", "word")


def _linked(wanted: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    """Return the groups that OR (or a bar) makes; it binds the nearest word on either side that is no stop word."""
    groups: list[list[Unit]] = []
    last: Unit | None = None
    joined = False
    for unit in wanted:
        joined = joined or unit.after == "or"
        if unit.kind == "qualifier" or (unit.known and unit.known.meaning == "stop"):
            continue
        if joined and last is not None:
            if not groups or groups[-1][-1] is not last:
                groups.append([last])
            groups[-1].append(unit)
        last, joined = unit, False
    return [tuple(group) for group in groups]


def _required(wish: _Wish, lexis: Lexis) -> tuple[tuple[Group, ...], Group]:
    """Return the groups that must stand in a post, and the words of which one may."""
    must: list[Group] = _named(wish.names, lexis)
    must += [(_term(unit),) for unit in wish.quoted]
    must += [_alternatives(group, lexis) for group in wish.alternatives]
    plain = list(wish.plain)
    if plain and _is_short(wish):
        must += [_forms(unit, lexis) for unit in plain]
        plain = []
    elif not must and not plain:
        plain = [unit for unit in wish.hints if unit.is_hint]
    loose = [term for unit in plain for term in _forms(unit, lexis)]
    loose += [term for unit in plain for term in _synonyms(unit, lexis)]
    return tuple(must), tuple(_unique(loose))


def _is_short(wish: _Wish) -> bool:
    """Tell whether these are one or two lower-case words, of which every one is meant."""
    said = [*wish.plain, *wish.hints, *(unit for name in wish.names for unit in name.run)]
    spoken = not wish.quoted and not wish.alternatives and len(said) <= _SHORT_WISH
    return spoken and not any(unit.capital for unit in said)


def _alternatives(group: Sequence[Unit], lexis: Lexis) -> Group:
    terms = [term for unit in group for term in _forms(unit, lexis)]
    terms += [term for unit in group if unit.kind == "ordinary" for term in _synonyms(unit, lexis)]
    return tuple(_unique(terms))[:_MOST_TERMS]


def _named(names: Sequence[Name], lexis: Lexis) -> list[Group]:
    """Return a group for each name, one for all that are alternatives to each other."""
    groups: list[list[Term]] = []
    for name in names:
        whole = len(name.run) > 1 and _is_one_name(name.run, lexis)
        parts = [_whole_name(name.run, lexis)] if whole else [(_term(unit),) for unit in name.run]
        if name.listed:
            groups[-1].extend(term for part in parts for term in part)
        else:
            groups.extend(list(part) for part in parts)
    found = list(dict.fromkeys(tuple(_unique(terms)) for terms in groups))
    return found if len(found) <= _MOST_NAMES else [tuple(_unique(term for group in found for term in group))]


def _is_one_name(run: Sequence[Unit], lexis: Lexis) -> bool:
    """Tell whether the words make one name, because one of them alone would name nothing."""
    return any(unit.kind == "ordinary" or unit.key in lexis.names_too for unit in run)


def _whole_name(run: Sequence[Unit], lexis: Lexis) -> Group:
    """Return the name whole, and without words such as CRM or App at its end where the rest is a name by itself."""
    whole = Term(" ".join(unit.text for unit in run), phrase=True)
    rest = list(run)
    while rest and rest[-1].key in lexis.generic:
        rest.pop()
    if len(rest) == len(run) or not rest or (len(rest) == 1 and not is_name_alone(rest[0], lexis)):
        return (whole,)
    return whole, Term(" ".join(unit.text for unit in rest), phrase=len(rest) > 1)


def _term(unit: Unit) -> Term:
    if unit.kind == "prefix":
        return Term(unit.text, prefix=True)
    return Term(unit.text, phrase=unit.kind == "quoted" or len(phrase_pieces(unit.text)) > 1)


def _forms(unit: Unit, lexis: Lexis) -> Group:
    """Return the unit as a term, with the other forms of an ordinary word."""
    term = _term(unit)
    if unit.kind in ("quoted", "prefix", "name", "word", "number") or term.phrase:
        return (term,)
    return term, *(Term(form) for form in inflections(unit.key, lexis)[1:])


def _synonyms(unit: Unit, lexis: Lexis) -> Iterator[Term]:
    for form in inflections(unit.key, lexis):
        if form in lexis.synonyms:
            yield from lexis.synonyms[form]
            return


def _unique(terms: Iterable[Term]) -> list[Term]:
    """Return the terms without those that say the same, first come first."""
    found: dict[tuple[str, bool], Term] = {}
    for term in terms:
        found.setdefault((fold(term.text), term.prefix), term)
    return list(found.values())
