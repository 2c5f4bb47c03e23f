"""The vocabulary file: how words of a wish are read, what counts as one thing, who speaks, in what mood."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from pydantic import Field

from signal_playbooks.content.model import ContentModel
from signal_playbooks.contract.vocabulary import Intent
from signal_playbooks.query import Term

Language = Literal["en", "es", "de", "fr", "pt", "ja", "zh"]
Role = Literal["indie_founder", "enterprise_dev", "student", "enthusiast"]
Meaning = Literal["stop", "audience", "unwritten", "intent", "place"]


class RoleWords(ContentModel):
    """What people of one role say of themselves."""

    what: ClassVar[str] = "the words of a role"

    strong: str = Field(default="", description="Phrases that weigh two, separated by commas.")
    weak: str = Field(default="", description="Phrases that weigh one, separated by commas.")


class SentimentWords(ContentModel):
    """What tells the tone of a text."""

    what: ClassVar[str] = "the words of sentiment"

    frustrated: str = Field(default="", description="Phrases of somebody who has had enough, separated by commas.")
    negative: str = Field(default="", description="Phrases of displeasure, separated by commas.")
    positive: str = Field(default="", description="Phrases of pleasure, separated by commas.")
    negations: str = Field(default="", description="Words that turn what follows around, separated by commas.")


@dataclass(frozen=True, slots=True)
class Known:
    """What a phrase of a wish means; `intents` where it names some."""

    meaning: Meaning
    intents: tuple[Intent, ...] = ()


class Vocabulary(ContentModel):
    """A whole vocabulary file. Lists of words are separated by blanks, lists of phrases by commas."""

    what: ClassVar[str] = "the vocabulary"

    stop_words: dict[Language, str] = Field(default_factory=dict, description="Dropped from a wish, by language.")
    time_and_place: str = Field(default="", description="Phrases that name where people speak; they only rank.")
    qualifiers: str = Field(default="", description="Words before a colon (site:…) that narrow other search boxes.")
    audience: dict[Language, str] = Field(default_factory=dict, description="Who speaks, by language; they only rank.")
    unwritten: str = Field(default="", description="Phrases that people search for and nobody writes; they only rank.")
    intents: dict[Intent, str] = Field(default_factory=dict, description="Phrases of a wish that name an intent.")
    synonyms: dict[str, str] = Field(default_factory=dict, description="Phrases for one thing, under a name of yours.")
    ordinary: dict[Language, str] = Field(default_factory=dict, description="Words that are no name, by language.")
    verbs: str = Field(default="", description="Those of the English ones that have a past and an -ing form.")
    adjectives: str = Field(default="", description="Those of the English ones that have no plural.")
    names_too: str = Field(default="", description="Everyday words that are also names of products.")
    generic: str = Field(default="", description="Words that say what kind of product a name is.")
    company: str = Field(default="", description="Phrases a product's name stands beside in a post.")
    tracking: str = Field(default="", description="Parameters of addresses that say only how one came; * ends one.")
    roles: dict[Role, RoleWords] = Field(default_factory=dict, description="What people of a role say of themselves.")
    sentiment: SentimentWords = Field(default_factory=SentimentWords, description="What tells the tone of a text.")

    def __repr__(self) -> str:
        """Return its name alone: a whole file of words would drown whatever shows it."""
        return f"<{type(self).__name__}>"

    @cached_property
    def lexis(self) -> "Lexis":
        """Return the same words arranged for looking up; made once, at the first use."""
        return _arranged(self)


@dataclass(frozen=True, slots=True)
class Lexis:
    """A vocabulary arranged for looking up; every key is folded, its words joined by single blanks.

    `phrases`: what a phrase of a wish means. `longest`: words in the longest. `unspaced`: characters in the longest key
    of a script without blanks. `ordinary`: a word's language. `synonyms`: a phrase's whole group. `stop_words`: the
    languages of each. `verbs`, `adjectives`, `names_too`, `generic`, `company`, `qualifiers`: as in the file.
    """

    phrases: Mapping[str, Known]
    longest: int
    unspaced: int
    ordinary: Mapping[str, Language]
    verbs: frozenset[str]
    adjectives: frozenset[str]
    synonyms: Mapping[str, tuple[Term, ...]]
    stop_words: Mapping[str, tuple[Language, ...]]
    names_too: frozenset[str]
    generic: frozenset[str]
    company: frozenset[str]
    qualifiers: frozenset[str]


def phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of a list separated by commas, as written."""
    return tuple(phrase for part in text.split(",") if (phrase := " ".join(part.split())))


def key(phrase: str) -> str:
    """Return a phrase as it is looked up: its folded words and single blanks, or an unspaced script as it stands."""
    if phrase.isascii() and phrase.isalnum():
        return phrase.lower()
    from signal_playbooks.text import fold, is_unspaced, words  # noqa: PLC0415 - see _arranged

    if is_unspaced(phrase) or phrase.endswith(("'", "’")):
        return fold(phrase)
    return " ".join(word.folded for word in words(phrase))


def _arranged(vocabulary: Vocabulary) -> Lexis:
    # Imported here: its many patterns are compiled at import, and checking a vocabulary needs none of them.
    from signal_playbooks.text import is_unspaced  # noqa: PLC0415 - slow to import

    known = dict(_meanings(vocabulary))
    groups = dict(_groups(vocabulary))
    spaced = [phrase for phrase in known if not is_unspaced(phrase)]
    unspaced = [len(phrase) for phrase in (*known, *groups) if is_unspaced(phrase)]
    return Lexis(
        phrases=known,
        longest=max((phrase.count(" ") + 1 for phrase in spaced), default=1),
        unspaced=max(unspaced, default=0),
        ordinary={key(word): code for code, listed in vocabulary.ordinary.items() for word in listed.split()},
        verbs=frozenset(vocabulary.verbs.split()),
        adjectives=frozenset(vocabulary.adjectives.split()),
        synonyms=groups,
        stop_words=_languages(vocabulary),
        names_too=frozenset(map(key, vocabulary.names_too.split())),
        generic=frozenset(map(key, vocabulary.generic.split())),
        company=frozenset(map(key, phrases(vocabulary.company))),
        qualifiers=frozenset(map(key, vocabulary.qualifiers.split())),
    )


def _meanings(vocabulary: Vocabulary) -> Iterator[tuple[str, Known]]:
    """Yield every phrase of a wish with its meaning; of two for one phrase the later one holds."""
    stop, audience, place, unwritten = Known("stop"), Known("audience"), Known("place"), Known("unwritten")
    yield from ((word, stop) for word in _languages(vocabulary))
    for listed in vocabulary.audience.values():
        yield from ((key(word), audience) for word in listed.split())
    yield from ((key(phrase), place) for phrase in phrases(vocabulary.time_and_place))
    yield from ((key(phrase), unwritten) for phrase in phrases(vocabulary.unwritten))
    wanted: dict[str, tuple[Intent, ...]] = {}
    for intent, listed in vocabulary.intents.items():
        for phrase in dict.fromkeys(map(key, phrases(listed))):
            wanted[phrase] = (*wanted.get(phrase, ()), intent)
    yield from ((phrase, Known("intent", intents)) for phrase, intents in wanted.items())


def _groups(vocabulary: Vocabulary) -> Iterator[tuple[str, tuple[Term, ...]]]:
    from signal_playbooks.text import phrase_pieces  # noqa: PLC0415 - see _arranged

    for listed in map(phrases, vocabulary.synonyms.values()):
        group = tuple(Term(phrase, phrase=" " in phrase or len(phrase_pieces(phrase)) > 1) for phrase in listed)
        yield from ((key(phrase), group) for phrase in listed)


def _languages(vocabulary: Vocabulary) -> Mapping[str, tuple[Language, ...]]:
    found: dict[str, tuple[Language, ...]] = {}
    for code, listed in vocabulary.stop_words.items():
        for word in map(key, listed.split()):
            found[word] = (*found.get(word, ()), code)
    return found
