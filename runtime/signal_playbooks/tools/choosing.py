"""Which sources a listen asks, and why each."""

from collections.abc import Collection, Mapping, Sequence

from signal_playbooks.caller import Caller
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.contract.listen import ChosenSource
from signal_playbooks.contract.reading import refusal, shown
from signal_playbooks.errors import ArgumentError, NotConfigured
from signal_playbooks.suggestion import did_you_mean

SAMPLE = "sample"  # the kind of a source whose posts are invented


def choose(
    named: Sequence[str], entries: Mapping[str, SourceEntry], caller: Caller, ready: Collection[str]
) -> list[ChosenSource]:
    """Return the sources to ask: the named ones, else all that the caller may see, each once.

    Invented posts are not mixed into real ones: a source of the kind sample is asked where it is named, or where none
    of the others is ready.

    Raises InvalidArguments for a name that is no source of the caller's, NotConfigured where there is none at all.
    """
    seen = [name for name in entries if caller.sees(name)]
    if not seen:
        raise NotConfigured(
            "There is no source to listen to.",
            "Declare one in catalog/sources/, or use a key that is not limited to sources which are gone.",
        )
    if not named:
        real = [name for name in seen if entries[name].kind != SAMPLE]
        asked = real if any(name in ready for name in real) else seen
        return [ChosenSource(id=name, why=_everything(entries[name])) for name in asked]
    complaints = [
        ArgumentError(f"scope.sources[{at}]", f"there is no source {shown(name)}{did_you_mean(name, seen)}")
        for at, name in enumerate(named)
        if name not in seen
    ]
    if complaints:
        raise refusal(complaints, f"Name sources of signal://catalog: {', '.join(seen)}.", allowed=seen)
    return [ChosenSource(id=name, why="named in scope.sources") for name in dict.fromkeys(named)]


def _everything(entry: SourceEntry) -> str:
    return f"none was named, so every source is asked; this one is good at {entry.strengths[0]}"
