"""Forms of an ordinary word by the plain rules of its language: cost, costs, costing; never a loose beginning."""

from collections.abc import Iterator

from signal_playbooks.content.vocabulary import Language, Lexis

_SHORTEST = 3
_VOWELS = "aeiou"
_NO_PLURAL = ("ing", "ed", "ive", "ous", "able", "ful", "ly", "ic", "ish", "less", "data", "software")


def base_form(word: str, lexis: Lexis) -> str | None:
    """Return the word the vocabulary has for it (`costs` → `cost`), None where it has none: it may be a name."""
    for candidate in _candidates(word):
        if candidate in lexis.ordinary:
            return candidate
    return word if word in lexis.ordinary or word in lexis.synonyms else None


def inflections(word: str, lexis: Lexis) -> list[str]:
    """Return the folded word and its other forms, the word itself first; only itself where it is unknown."""
    base = base_form(word, lexis)
    if base is None or len(base) < _SHORTEST or not base.isalpha() or base in lexis.adjectives:
        return [word]
    if base not in lexis.ordinary:
        return [word]  # known only as a synonym, whose group has its other forms
    language = lexis.ordinary[base]
    forms = _english(base, base in lexis.verbs) if language == "en" else _other(base, language)
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


def _english(base: str, is_verb: bool) -> Iterator[str]:
    """Yield the plural or third person, and of a verb the past and the -ing form; adjectives have none of them."""
    if base.endswith(_NO_PLURAL) or (base.endswith("s") and not base.endswith("ss")):
        return
    ends_in_y = base.endswith("y") and base[-2] not in _VOWELS
    stem = base[:-1] if ends_in_y or (base.endswith("e") and not base.endswith("ee")) else base
    if len(base) <= 4 and base[-1] not in _VOWELS + "wxy" and base[-2] in _VOWELS and base[-3] not in _VOWELS:
        stem = base + base[-1]
    if ends_in_y:
        yield stem + "ies"
    else:
        yield base + ("es" if base.endswith(("s", "x", "z", "ch", "sh")) else "s")
    if is_verb:
        yield stem + "ied" if ends_in_y else base + "d" if base.endswith("e") else stem + "ed"
        yield base + "ing" if ends_in_y else stem + "ing"


def _other(base: str, language: Language) -> Iterator[str]:
    """Yield the plural, of a German word its endings."""
    if language == "de":
        yield from (base + ending for ending in (("n", "s") if base.endswith("e") else ("e", "en", "er")))
    elif not base.endswith(("s", "x", "z")):
        yield base + ("s" if language == "fr" or base[-1] in "aeiouáéíóúãõ" else "es")
