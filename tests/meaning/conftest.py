"""The shipped vocabulary, read once for all tests of meaning."""

from pathlib import Path

import pytest
import yaml

from signal_playbooks.content.vocabulary import Vocabulary

FILE = Path(__file__).parents[2] / "lexicon" / "vocabulary.yaml"


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    """Return the vocabulary as it is shipped."""
    return Vocabulary.model_validate(yaml.load(FILE.read_text(encoding="utf-8"), yaml.CSafeLoader))
