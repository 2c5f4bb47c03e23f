"""The vocabulary file loads quickly, says what its keys are, and contradicts itself nowhere that matters."""

from pathlib import Path
from time import process_time
from typing import get_args

import pytest
import yaml

from signal_playbooks.content.vocabulary import Vocabulary, key, phrases
from signal_playbooks.contract.vocabulary import Intent

FILE = Path(__file__).parents[2] / "lexicon" / "vocabulary.yaml"


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    """Return the vocabulary as it is shipped."""
    return Vocabulary.model_validate(yaml.load(FILE.read_text(encoding="utf-8"), yaml.CSafeLoader))


def test_the_file_loads_in_a_few_milliseconds() -> None:
    """Every command pays for it (measured: 2 ms, and 12 more to arrange it at the first use)."""
    text = FILE.read_text(encoding="utf-8")
    start = process_time()
    Vocabulary.model_validate(yaml.load(text, yaml.CSafeLoader))
    assert process_time() - start < 0.1


def test_every_key_says_what_it_holds() -> None:
    """The reference is printed from these."""
    assert Vocabulary.what
    assert all(field.description for field in Vocabulary.model_fields.values())


def test_every_intent_has_words(vocabulary: Vocabulary) -> None:
    """A wish can ask for any of the ten."""
    assert set(vocabulary.intents) == set(get_args(Intent))


def test_no_word_is_both_dropped_and_listed_as_a_name(vocabulary: Vocabulary) -> None:
    """A stop word that is a name too could never be asked for."""
    assert not vocabulary.lexis.names_too & vocabulary.lexis.stop_words.keys()


def test_a_word_that_is_only_a_beginning_has_enough_letters(vocabulary: Vocabulary) -> None:
    """One or two letters and any ending would be half the language."""
    said = vocabulary.sentiment
    lists = [
        said.frustrated,
        said.negative,
        said.positive,
        *(f"{one.strong},{one.weak}" for one in vocabulary.roles.values()),
    ]
    for phrase in (phrase for listed in lists for phrase in phrases(listed)):
        assert not phrase.startswith("…")
        assert all(len(word) > 3 for word in phrase.split() if word.endswith("*")), phrase


@pytest.mark.parametrize(
    ("phrase", "looked_up"),
    [
        ("Alternative  To", "alternative to"),
        ("use-cases", "use cases"),
        ("l'", "l'"),
        ("値上げ", "値上げ"),
        ("don’t", "don't"),
    ],
)
def test_phrases_are_looked_up_as_they_are_read_in_a_wish(phrase: str, looked_up: str) -> None:
    """Blanks, hyphens, capitals and the shape of an apostrophe make no difference."""
    assert key(phrase) == looked_up


def test_a_list_is_what_stands_between_commas() -> None:
    """Over several lines too."""
    assert phrases("looking for,\n  a vendor , ,x") == ("looking for", "a vendor", "x")
