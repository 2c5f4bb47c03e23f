"""What is wanted, once a wish has been read: words in a shape that a source can be asked and a post be held against."""

from dataclasses import dataclass
from datetime import datetime

from signal_playbooks.contract.vocabulary import Intent


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a run of words that stand together (`phrase`), or the beginning of a word (`prefix`).

    `text` is as it was written; matching folds it (NFKC, case) on both sides.
    """

    text: str
    prefix: bool = False
    phrase: bool = False

    def __str__(self) -> str:
        """Return it as a person would type it."""
        return f'"{self.text}"' if self.phrase else f"{self.text}*" if self.prefix else self.text


@dataclass(frozen=True, slots=True)
class Query:
    """A wish, read.

    `must`: groups, of each of which one alternative has to stand in the post. `any`: words of which one has to stand
    where `must` is empty, and which otherwise only rank. `without`: what must not stand. `hints`: words that only rank.
    `intents`: what the wish is after, read from it. `since`: nothing published before, aware UTC, None for any time.
    """

    text: str
    must: tuple[tuple[Term, ...], ...] = ()
    any: tuple[Term, ...] = ()
    without: tuple[Term, ...] = ()
    hints: tuple[str, ...] = ()
    intents: tuple[Intent, ...] = ()
    since: datetime | None = None
