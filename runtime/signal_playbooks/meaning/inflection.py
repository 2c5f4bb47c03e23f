"""Forms of an ordinary word by the plain rules of its language: cost, costs, costing; never a loose beginning."""

from collections.abc import Iterator

from signal_playbooks.content.vocabulary import Language, Lexis

_SHORTEST = 3
_ENDINGS: dict[Language, tuple[str, ...]] = {
    "es": ("s", "es"),
    "pt": ("s", "es"),
    "fr": ("s", "x"),
    "de": ("e", "en", "n", "er"),
}
_VOWELS = "aeiou"


def base_form(word: str, lexis: Lexis) -> str | None:
    """Return the word the vocabulary has for it (`costs` → `cost`), None where it has none and the word may be a name."""
    for candidate in _candidates(word):
        if candidate in lexis.ordinary:
            return candidate
    return word if word in lexis.ordinary or word in lexis.synonyms else None


def inflections(word: str, lexis: Lexis) -> list[str]:
    """Return the folded word and its other forms, the word itself first; only itself where it is unknown."""
    base = base_form(word, lexis)
    if base is None or len(base) < _SHORTEST or not base.isalpha():
        return [word]
    forms = _english(base) if lexis.ordinary.get(base, "en") == "en" else _other(base, lexis.ordinary[base])
    return list(dict.fromkeys([word, base, *forms]))


def _candidates(word: str) -> Iterator[str]:
    """Yield what the word may be a form of, the most likely first; not the word itself."""
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith(("ing", "ied")):
        yield from (word[:-3], word[:-3] + "e", word[:-4] if word[-4:-3] == word[-5:-4] else word)
    if word.endswith("ed"):
        yield from (word[:-2], word[:-1], word[:-3] if word[-3:-2] == word[-4:-3] else word)
    if word.endswith(("es", "en", "er")):
        yield word[:-2]
    if word.endswith(("s", "e", "n", "x")) and not word.endswith("ss"):
        yield word[:-1]


def _english(base: str) -> Iterator[str]:
    """Yield the plural or third person, the past and the -ing form; a word that looks like a form has no others."""
    if base.endswith(("ing", "ed")) or (base.endswith("s") and not base.endswith("ss")):
        return
    if base.endswith("y") and base[-2] not in _VOWELS:
        yield from (base[:-1] + "ies", base[:-1] + "ied", base + "ing")
        return
    yield base + ("es" if base.endswith(("s", "x", "z", "ch", "sh")) else "s")
    stem = base[:-1] if base.endswith("e") and not base.endswith("ee") else base
    if len(base) <= 4 and base[-1] not in _VOWELS + "wxy" and base[-2] in _VOWELS and base[-3] not in _VOWELS:
        stem = base + base[-1]
    yield from (stem + "ed" if not base.endswith("ee") else base + "d", stem + "ing")


def _other(base: str, language: Language) -> Iterator[str]:
    if base.endswith(("s", "x")) and language != "de":
        return
    yield from (base + ending for ending in _ENDINGS.get(language, ()))
