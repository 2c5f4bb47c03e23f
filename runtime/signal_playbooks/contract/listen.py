"""listen: what goes in and what comes out."""

from pydantic import Field

from signal_playbooks.contract.model import Moment, WireModel
from signal_playbooks.contract.signal import Signal
from signal_playbooks.contract.vocabulary import CoverageState, Freshness, Intent


class ListenScope(WireModel):
    """Where and how far to listen."""

    sources: list[str] = Field(
        default_factory=list,
        description="Source ids from signal://catalog to listen to. Omit to let the server choose by the query.",
    )
    freshness: Freshness = Field(default="this_week", description="How recent a post must be.")
    min_engagement: int = Field(default=0, ge=0, description="Drop signals whose known score is below this. Default 0.")


class ListenInput(WireModel):
    """Arguments of listen."""

    query: str = Field(
        min_length=1,
        max_length=2000,
        description=(
            'What to listen for, in plain words. Also understood: "a phrase", -without, OR, word* for any ending. '
            "Example: founders complaining about Clay being too expensive."
        ),
    )
    scope: ListenScope = Field(default_factory=ListenScope, description="Where and how far to listen. Optional.")
    intent_filter: list[Intent] = Field(
        default_factory=list, description="Keep only signals with one of these intents. Omit for all."
    )
    limit: int = Field(default=20, ge=1, le=100, description="How many signals at most, best first.")


class ChosenSource(WireModel):
    """A source that was listened to, and why."""

    id: str = Field(description="Catalog id of the source.")
    why: str = Field(description="Why it was chosen, in a few words.")


class QueryPlan(WireModel):
    """What the query was understood as."""

    must: list[str] = Field(description="Words that have to stand in the post.")
    any: list[str] = Field(description="Words of which one has to stand in the post where nothing else is required.")
    not_: list[str] = Field(alias="not", description="Words that must not stand in the post.")
    phrases: list[str] = Field(description="Phrases that have to stand in the post as they are.")
    hints: list[str] = Field(description="Words that only rank, and what they were taken to mean.")
    sources: list[ChosenSource] = Field(description="Sources listened to, each with the reason.")
    since: Moment | None = Field(description="Nothing published before this was kept; null for any time.")


class Coverage(WireModel):
    """What one source answered: what could be heard there, and what could not."""

    source: str = Field(description="Catalog id of the source.")
    state: CoverageState = Field(description="How it went.")
    fetched: int = Field(description="Posts that came back.")
    matched: int = Field(description="Posts that matched the query.")
    waited_ms: int = Field(description="How long the source took, in milliseconds.")
    note: str | None = Field(description="What should be known about it, or null.")
    suggested_action: str | None = Field(description="What to do about it, or null.")


class ListenOutput(WireModel):
    """Ranked signals, and the account of how they were found."""

    signals: list[Signal] = Field(description="The signals, best first.")
    summary: str = Field(description="What was heard, and what could not be, in two sentences.")
    query_plan: QueryPlan = Field(description="What the query was understood as.")
    coverage: list[Coverage] = Field(description="One line for every source.")
    more: int = Field(description="Further signals that matched and were left out by limit.")
