"""A wish taken apart: quotes, exclusions, OR, word*, and runs of words, each with what the vocabulary knows of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from signal_playbooks.content.vocabulary import Known, Lexis
from signal_playbooks.meaning.inflection import base_form
from signal_playbooks.text import fold, is_unspaced, phrase_pieces, words

Kind = Literal["quoted", "prefix", "known", "ordinary", "number", "name", "word", "qualifier"]

_CHUNK = re.compile(
    r"""(?P<minus>(?<![^\s(|,])[-−](?=[\w"“„«「『(.\#@]))?
    (?: "(?P<q1>[^"“”]*)["“”] | [“”„](?P<q2>[^"“”]*)["“”] | «(?P<q3>[^«»]*)» | »(?P<q4>[^«»]*)«
      | 「(?P<q5>[^」]*)」 | 『(?P<q6>[^』]*)』
      | (?P<open>\() | (?P<close>\)) | (?P<bar>\|) | (?P<comma>[,;、，])
      | (?P<word>(?:[^\s"“”„«»「」『』()|,;、，。！？] | ,(?=\d))+) | (?P<stop>[。！？\n]) )""",
    re.VERBOSE,
)
_ENDS = re.compile(r"[.!?:…'’*]+$")
_SENTENCE_END = re.compile(r"[.!?:…]")
_POSSESSIVE = re.compile(r"(?<=\w)['’][sS]$")
# French writes small words onto the next one: l'alternative, d'abonnement, qu'un.
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w{2})", re.IGNORECASE)
_CAMEL = re.compile(r"[^\W\d_]*[a-z][A-Z]|^[A-Z]{2,}[a-z]{2,}")
_QUALIFIER = re.compile(r"([a-z]+):(\S+)", re.IGNORECASE)
_ADDRESS = re.compile(r"^https?://(?:www\.)?|/+$", re.IGNORECASE)
# What stands between known words of Japanese or Chinese: characters with the kana that ends them, or foreign words.
_KANJI_WORD = re.compile(
    "[\u3005\u3400-\u9fff\uf900-\ufaff]+[\u3041-\u3096]?|[\u30a1-\u30ff]+|[^\u3041-\u30ff\u3400-\u9fff]+"
)
_PARTICLES = frozenset("のがはをにでともへや")


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing a wish says.

    `text` as written, `key` folded for looking up, `known` what the vocabulary has for it. `excluded`: with a dash.
    `opens`: begins a sentence. `after`: how it hangs on the unit before: by OR, a comma, directly, or not at all.
    """

    text: str
    key: str
    kind: Kind
    known: Known | None = None
    excluded: bool = False
    opens: bool = False
    after: Literal["or", "comma", "next", "apart"] = "apart"

    @property
    def capital(self) -> bool:
        """Tell whether it is written with a capital first letter, or capitals inside."""
        return self.text != self.text.lower()

    @property
    def is_hint(self) -> bool:
        """Tell whether it says something about the wish rather than stands in a post."""
        return self.known is not None and self.known.meaning != "stop"


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A run of characters between blanks, or what stood in quotes."""

    text: str
    folded: tuple[str, ...]
    quoted: bool = False
    prefix: bool = False
    excluded: bool = False
    opens: bool = False
    after: Literal["or", "comma", "next"] = "next"


def units(text: str, lexis: Lexis) -> list[Unit]:
    """Return what the wish says, in order, stop words included (kind known, meaning stop)."""
    chunks = list(_chunks(text))
    found: list[Unit] = []
    place = 0
    while place < len(chunks):
        taken, unit = _phrase_at(chunks, place, lexis)
        found.extend([unit] if unit else _units_of(chunks[place], lexis))
        place += taken
    return found


def _chunks(text: str) -> Iterator[_Chunk]:
    """Yield the chunks; signs that open or close nothing are left out."""
    capitals_tell = text != text.upper()
    opens, excluded, after = True, False, "next"
    for m in _CHUNK.finditer(text):
        if m["open"] or m["close"]:
            excluded = bool(m["open"] and (m["minus"] or excluded))
        elif m["comma"] or m["stop"]:
            after, opens = ("or" if after == "or" else "comma"), opens or bool(m["stop"])
        elif m["bar"] or (capitals_tell and m["word"] == "OR"):
            after = "or"
        elif not (capitals_tell and m["word"] == "AND"):
            out = excluded or m["minus"] is not None
            yield from _chunk(m, out, opens, after)
            opens, after = bool(m["word"] and _ends_sentence(m["word"])), "next"


def _ends_sentence(word: str) -> bool:
    end = _ENDS.search(word)
    return bool(end and _SENTENCE_END.search(end[0]))


def _chunk(m: re.Match[str], excluded: bool, opens: bool, after: str) -> Iterator[_Chunk]:
    link: Literal["or", "comma", "next"] = "or" if after == "or" else "comma" if after == "comma" else "next"
    if m["word"] is None:
        quoted = " ".join(next((m[f"q{n}"] for n in range(1, 7) if m[f"q{n}"] is not None), "").split())
        if folded := _folded(quoted):
            yield _Chunk(quoted, folded, quoted=True, excluded=excluded, opens=opens, after=link)
        return
    bare = _ELIDED.sub("", _ADDRESS.sub("", _POSSESSIVE.sub("", _ENDS.sub("", m["word"]))))
    halves = bare.split("/")
    if len(halves) == 2 and all(len(half) > 3 and half.isalpha() for half in halves):
        yield _Chunk(halves[0], _folded(halves[0]), excluded=excluded, opens=opens, after=link)
        yield _Chunk(halves[1], _folded(halves[1]), excluded=excluded, after="or")
    elif folded := _folded(bare):
        prefix = m["word"].rstrip(".!?:…").endswith("*") and len(folded[-1]) > 1
        yield _Chunk(bare, folded, prefix=prefix, excluded=excluded, opens=opens, after=link)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word.folded for word in words(text))


def _phrase_at(chunks: Sequence[_Chunk], place: int, lexis: Lexis) -> tuple[int, Unit | None]:
    """Return how many chunks from here make the longest phrase that is known, and its unit; else 1 and None."""
    run: list[str] = []
    best: tuple[int, Unit | None] = (1, None)
    for taken, chunk in enumerate(chunks[place : place + lexis.longest], start=1):
        if chunk.quoted or chunk.prefix or chunk.excluded or (taken > 1 and chunk.after != "next"):
            break
        run.extend(chunk.folded)
        if len(run) > lexis.longest:
            break
        if known := lexis.phrases.get(" ".join(run)):
            text = " ".join(chunk.text for chunk in chunks[place : place + taken])
            first = chunks[place]
            best = taken, Unit(text, " ".join(run), "known", known, opens=first.opens, after=first.after)
    return best


def _units_of(chunk: _Chunk, lexis: Lexis) -> Iterator[Unit]:
    unit = Unit(
        chunk.text, " ".join(chunk.folded), "word", excluded=chunk.excluded, opens=chunk.opens, after=chunk.after
    )
    if chunk.quoted or chunk.prefix:
        yield replace(unit, kind="quoted" if chunk.quoted else "prefix")
    elif chunk.excluded:
        yield unit
    elif (m := _QUALIFIER.fullmatch(chunk.text)) and m[1].lower() in lexis.qualifiers:
        yield replace(unit, kind="qualifier")
    elif any(map(is_unspaced, chunk.text)):
        yield from _unspaced(chunk, lexis)
    else:
        yield replace(unit, kind=_kind(unit, lexis))


def _kind(unit: Unit, lexis: Lexis) -> Kind:
    parts = unit.key.split()
    if all(part.isdecimal() for part in parts):
        return "number"
    if _CAMEL.search(unit.text):
        return "name"
    if all(part in lexis.phrases or base_form(part, lexis) for part in parts):
        return "ordinary"
    is_sign = any(sign in unit.text for sign in ".+#@") or (unit.key.isalnum() and not unit.key.isalpha())
    return "name" if unit.capital or is_sign else "word"


def _unspaced(chunk: _Chunk, lexis: Lexis) -> Iterator[Unit]:
    """Yield the units of a run without blanks: the longest phrases that are known, and what stands between them."""
    text, after, rest, place = chunk.text, chunk.after, 0, 0
    while place < len(text):
        size = _known_length(text, place, lexis)
        if not size:
            place += 1
            continue
        yield from _between(text[rest:place], after, lexis)
        key = fold(text[place : place + size])
        yield Unit(
            text[place : place + size], key, "known" if key in lexis.phrases else "ordinary", lexis.phrases.get(key)
        )
        after, place = "next", place + size
        rest = place
    yield from _between(text[rest:], after, lexis)


def _known_length(text: str, place: int, lexis: Lexis) -> int:
    if not is_unspaced(text[place]):
        return 0
    for size in range(min(lexis.unspaced, len(text) - place), 0, -1):
        key = fold(text[place : place + size])
        if key in lexis.synonyms or key in lexis.phrases:
            return size
    return 0


def _between(text: str, after: Literal["or", "comma", "next"], lexis: Lexis) -> Iterator[Unit]:
    for m in _KANJI_WORD.finditer(text):
        piece = m[0][:-1] if len(m[0]) > 1 and m[0][-1] in _PARTICLES else m[0]
        if not phrase_pieces(piece):
            continue
        unit = Unit(piece, fold(piece), "ordinary", after=after)
        yield unit if is_unspaced(piece) else replace(unit, kind=_kind(unit, lexis))
        after = "next"
