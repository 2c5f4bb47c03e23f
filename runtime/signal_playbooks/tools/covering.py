"""The account of one source within a listen: what came, what was kept, what was left out and why."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from signal_playbooks.contract.listen import Coverage
from signal_playbooks.contract.vocabulary import CoverageState
from signal_playbooks.errors import RateLimited, SignalError, SourceUnavailable
from signal_playbooks.sources.protocol import Page
from signal_playbooks.tools.asking import Ended

ANSWERED: frozenset[CoverageState] = frozenset({"ok", "no_results", "partial"})
_LONGEST_WAIT = 86_400


@dataclass(slots=True)
class Tally:
    """What one source has given so far; counts of posts."""

    fetched: int = 0
    matched: int = 0
    undated: int = 0
    archived: int = 0
    other_intents: int = 0
    quiet: int = 0
    partial: bool = False
    notes: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)

    def page(self, page: Page) -> None:
        """Take note of what a page says about itself."""
        self.fetched += len(page.posts)
        self.partial = self.partial or page.partial
        if page.note and page.note not in self.notes:
            self.notes.append(page.note)
        if page.suggested_action and page.suggested_action not in self.actions:
            self.actions.append(page.suggested_action)

    def cut_short(self) -> None:
        """Note that the time was over before all of its posts could be judged."""
        self.partial = True
        note = "The time was over before all of its posts could be judged."
        if note not in self.notes:
            self.notes.append(note)

    def covered(self, ended: Ended) -> Coverage:
        """Return the source's line of coverage, now that it has ended."""
        notes, actions = [*self.notes, *self._left_out()], [*self.actions]
        if ended.trouble is not None:
            notes.insert(0, ended.trouble.note)
            actions.insert(0, ended.trouble.suggested_action or "")
        elif self.undated:
            actions.append("Listen with freshness any to hear posts without a date.")
        return Coverage(
            source=ended.source,
            state=self._state(ended),
            fetched=self.fetched,
            matched=self.matched,
            waited_ms=ended.waited_ms,
            note=" ".join(notes) or None,
            suggested_action=" ".join(filter(None, actions)) or None,
        )

    def _state(self, ended: Ended) -> CoverageState:
        if ended.trouble is not None:
            return ended.trouble.state
        if self.partial:
            return "partial"
        return "ok" if self.matched else "no_results"

    def _left_out(self) -> Iterator[str]:
        if self.undated:
            yield f"{_posts(self.undated)} without a date left out."
        if self.other_intents:
            yield f"{_posts(self.other_intents)} left out for other intents."
        if self.quiet:
            yield f"{_posts(self.quiet)} left out for less engagement than asked."
        if self.archived:
            yield f"{_posts(self.archived)} left out as archived."


def held_back(line: Coverage, count: int) -> Coverage:
    """Return the line with a note of how many posts stand back behind better ones of their authors."""
    if not count:
        return line
    note = f"{_posts(count)} held back behind better ones of the same author."
    return line.model_copy(update={"note": f"{line.note} {note}" if line.note else note})


def silence(coverage: Sequence[Coverage], waits: Iterable[int]) -> SignalError | None:
    """Return the error of a listen that no source answered, None where one did; `waits` are seconds asked for."""
    if any(line.state in ANSWERED or line.matched for line in coverage):
        return None
    affected = [line.source for line in coverage]
    lines = [line.model_dump(mode="json") for line in coverage]
    if all(line.state == "rate_limited" for line in coverage):
        wait = min(max(min(waits, default=60), 1), _LONGEST_WAIT)
        return RateLimited(
            f"Every source asked us to wait: {', '.join(affected)}.",
            f"Wait {wait} seconds and listen again, or name other sources in scope.sources.",
            retry_after_seconds=wait,
            affected_sources=affected,
            coverage=lines,
        )
    told = " ".join(f"{line.source}: {line.note}" for line in coverage if line.note)
    action = next((line.suggested_action for line in coverage if line.suggested_action), None)
    return SourceUnavailable(
        f"No source answered. {told}".strip()[:600],
        action or "Listen again later, or name other sources in scope.sources.",
        affected_sources=affected,
        coverage=lines,
    )


def _posts(count: int) -> str:
    return "1 post was" if count == 1 else f"{count} posts were"
