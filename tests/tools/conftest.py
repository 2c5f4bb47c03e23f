"""The shipped content once for all tests of the tools, and worlds that are closed again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from signal_playbooks.content.library import Library, load_library
from signal_playbooks.meaning.intent import IntentReader
from signal_playbooks.sources.protocol import Page
from tools.world import Scripted, World, post

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def library() -> Library:
    """Return the shipped content."""
    return load_library(ROOT, None, shown_from=ROOT)


@pytest.fixture(scope="session")
def reader(library: Library) -> IntentReader:
    """Return the classifier over the shipped lexicon."""
    return IntentReader(list(library.intents.values()), library.none_examples)


@pytest.fixture
def world(library: Library, reader: IntentReader) -> Iterator[Callable[..., World]]:
    """Return what builds a world; by default one board with one complaint about Plinthly."""
    built: list[World] = []

    def build(*sources: Any, **more: Any) -> World:
        known = sources or (Scripted("board", [Page((post(),))]),)
        built.append(World(library, known, reader=reader, **more))
        return built[-1]

    yield build
    for each in built:
        each.store.close()
