"""The composition root: settings, content, store, tools and engine put together, for one process."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from signal_playbooks.caller import Caller
from signal_playbooks.clock import Clock
from signal_playbooks.content.document import read_document
from signal_playbooks.content.inputs import input_specs
from signal_playbooks.content.library import Library, load_library
from signal_playbooks.content.playbook import InputSpec, Playbook
from signal_playbooks.destinations.kinds import build_destinations
from signal_playbooks.engine.inputs import read_inputs
from signal_playbooks.engine.ports import Approver, CallRecord, Watcher
from signal_playbooks.engine.result import RunResult
from signal_playbooks.engine.run import Engine
from signal_playbooks.errors import ArgumentError, ContentInvalid, InvalidArguments, UsageError
from signal_playbooks.meaning.intent import IntentReader
from signal_playbooks.problem import render_text
from signal_playbooks.settings import Settings
from signal_playbooks.sources.connectors import Surroundings, build_sources
from signal_playbooks.sources.importing import ImportReport, import_file
from signal_playbooks.sources.protocol import Source
from signal_playbooks.store.database import Store, open_store
from signal_playbooks.store.runs import Runs, RunStep
from signal_playbooks.tools.toolbox import Toolbox


@contextmanager
def open_app(settings: Settings, clock: Clock, *, shown_from: Path) -> Iterator["App"]:
    """Open the application on its content and store, and close it whatever happens.

    Raises StoreUnavailable, NotConfigured or UsageError.
    """
    library = load_library(settings.shipped, settings.content, shown_from=shown_from)
    store = open_store(settings.database, clock)
    try:
        yield App(settings, library, store, clock)
    finally:
        store.close()


class App:
    """Everything built, each part when it is first needed."""

    def __init__(self, settings: Settings, library: Library, store: Store, clock: Clock) -> None:
        self.settings = settings
        self.library = library
        self.store = store
        self.clock = clock

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """Return the declared sources, by id."""
        around = Surroundings(self.store.archive, self.library.posts_folder, self.clock)
        return build_sources(self.library.sources.values(), around)

    @cached_property
    def tools(self) -> Toolbox:
        """Return the three tools."""
        return Toolbox(
            store=self.store,
            entries=self.library.sources,
            sources=self.sources,
            destinations=build_destinations(self.library.destinations.values(), self.settings.data),
            reader=IntentReader(list(self.library.intents.values()), self.library.none_examples),
            vocabulary=self.library.vocabulary,
            drafts=self.library.drafts,
            clock=self.clock,
        )

    async def catalog(self, caller: Caller) -> list[dict[str, Any]]:
        """Return every source the caller may see, with its state and what it is good and bad at."""
        listed = []
        for entry in self.library.sources.values():
            if caller.sees(entry.id):
                condition = await self.sources[entry.id].condition()
                declared = entry.model_dump(include=_TOLD)
                listed.append({"id": entry.id, "state": condition.state, "note": condition.note} | declared)
        return listed

    def import_posts(self, file: Path, source_id: str) -> ImportReport:
        """Add the posts of a file to an archive source. Raises UsageError or StoreUnavailable."""
        entry = self.library.sources.get(source_id)
        if entry is None or entry.connector != "archive":
            archives = [name for name, one in self.library.sources.items() if one.connector == "archive"]
            raise UsageError(f"{source_id!r} is no archive source.", f"Import into one of: {', '.join(archives)}.")
        return import_file(file, source_id, lambda posts: asyncio.run(self.store.archive.add(posts)), self.clock)

    def missing_inputs(self, playbook_id: str, given: Collection[str]) -> dict[str, InputSpec]:
        """Return the required inputs of a playbook that were not given."""
        specs = input_specs(self.library.playbook(playbook_id))
        return {name: spec for name, spec in specs.items() if spec.required and name not in given}

    def read_inputs(self, file: Path) -> dict[str, Any]:
        """Return the inputs that a YAML or JSON file gives. Raises ContentInvalid where it is no map of them."""
        document = read_document(file, str(file))
        value = document.python(document.root)
        if document.problems or not isinstance(value, dict):
            told = "; ".join(render_text(problem).splitlines()[0] for problem in document.problems)
            raise ContentInvalid(
                f"{file} gives no inputs: {told or 'it has to be a map of names to values'}.", document.problems
            )
        return value

    async def run(
        self,
        playbook_id: str,
        given: Mapping[str, Any],
        *,
        caller: Caller,
        sources: Sequence[str] | None = None,
        watch: Watcher | None = None,
        approve: Approver | None = None,
    ) -> RunResult:
        """Run a playbook, written down as it goes.

        Raises UsageError, ContentInvalid or InvalidArguments before anything is called, and StoreUnavailable.
        """
        playbook = self._runnable(playbook_id, sources)
        inputs = read_inputs(playbook, given)
        run_id = self.clock.new_id("run")
        runs = self.store.runs
        await runs.start(run_id, playbook_id, dict(given), content_hash(playbook), caller.name)
        engine = Engine(
            self.tools,
            self.library.playbooks,
            self.clock,
            journal=_RunJournal(runs, run_id),
            seen=_SeenByRuns(runs, run_id),
        )
        status, outputs, summary = "interrupted", None, None
        try:
            result = await engine.run(
                playbook_id, inputs, caller=caller, run_id=run_id, sources=sources, watch=watch, approve=approve
            )
            told = result.as_dict()
            status, outputs, summary = (
                result.status,
                told["outputs"],
                {"steps": told["steps"], "staged": told["staged"]},
            )
        finally:
            await runs.finish(run_id, status, outputs, summary)
        return result

    def plan(
        self, playbook_id: str, given: Mapping[str, Any], *, sources: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """Return what a run would do, without a call. Raises as `run` does."""
        playbook = self._runnable(playbook_id, sources)
        engine = Engine(self.tools, self.library.playbooks, self.clock)
        return engine.plan(playbook_id, read_inputs(playbook, given), sources=sources).as_dict()

    def _runnable(self, playbook_id: str, sources: Sequence[str] | None) -> Playbook:
        playbook = self.library.playbook(playbook_id)
        unknown = [name for name in sources or () if name not in self.library.sources]
        if unknown:
            known = ", ".join(self.library.sources)
            raise InvalidArguments(
                f"There is no source {unknown[0]!r}.",
                [ArgumentError("sources", f"{name!r} is no source") for name in unknown],
                f"These exist: {known}.",
                allowed=list(self.library.sources),
            )
        return playbook


_TOLD = {"kind", "regions", "update_cadence", "strengths", "weaknesses", "filters"}


def content_hash(playbook: Playbook) -> str:
    """Return the SHA-256 of what was run, in hex."""
    return sha256(playbook.model_dump_json(by_alias=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _RunJournal:
    """Writes every call of a run into the store as it happens."""

    runs: Runs
    run_id: str

    def record(self, entry: CallRecord) -> None:
        """Keep one call; the record after it takes the place of the one before it."""
        self.runs.record(
            self.run_id,
            RunStep(
                entry.path,
                entry.tool,
                entry.status,
                output=entry.output.model_dump(mode="json", by_alias=True) if entry.output is not None else None,
                error=entry.error.as_dict() if entry.error is not None else None,
                attempts=entry.attempts,
                started_at=entry.started_at,
                finished_at=entry.finished_at,
            ),
        )


@dataclass(frozen=True, slots=True)
class _SeenByRuns:
    """What earlier runs of a playbook have seen, from the store."""

    runs: Runs
    run_id: str

    async def unseen(self, playbook: str, ids: Collection[str]) -> set[str]:
        """Return those of the ids that no run of the playbook has marked."""
        return set(ids) - await self.runs.seen(playbook, ids)

    async def mark(self, playbook: str, ids: Collection[str]) -> None:
        """Mark the ids as seen by this run of the playbook."""
        await self.runs.mark_seen(self.run_id, playbook, ids)
