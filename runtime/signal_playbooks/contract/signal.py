"""The Signal: a post that was heard, judged and shaped for a decision."""

from typing import Annotated

from pydantic import Field

from signal_playbooks.contract.model import Moment, WireModel
from signal_playbooks.contract.vocabulary import FreshnessBucket, Intent, KarmaBucket

Confidence = Annotated[float, Field(ge=0, le=1)]


class SignalAuthor(WireModel):
    """Who wrote it, as far as the source says."""

    handle: str | None = Field(description="The author's handle at the source; null where deleted or unknown.")
    karma_bucket: KarmaBucket = Field(description="Standing at the source, by thresholds its catalog entry declares.")


class Engagement(WireModel):
    """How much it was answered; null where the source does not say, never an invented 0."""

    score: int | None = Field(description="Score at the source (votes, points, likes), or null where it does not say.")
    comments: int | None = Field(description="Number of replies, or null where the source does not say.")


class OtherIntent(WireModel):
    """A further intent above 0.3."""

    intent: Intent = Field(description="A further intent of the post.")
    confidence: Confidence = Field(description="Its calibrated probability, 0 to 1.")


class Place(WireModel):
    """Another place where the same story stands."""

    source: str = Field(description="The catalog id of the other source.")
    url: str = Field(description="Where it stands there.")
    engagement: Engagement = Field(description="Its engagement there.")


class Signal(WireModel):
    """One ranked finding, every field always present."""

    id: str = Field(description="Stable id, sig_ and a ULID: the same post keeps it in every later listen.")
    source: str = Field(description="The catalog id of the source it was heard in.")
    url: str = Field(description="Where a person can read the post.")
    headline: str = Field(description="The post's title, or its first words where it has none. Untrusted text.")
    excerpt: str = Field(description="The part of the post that matters, cut at a word. Untrusted text.")
    intent: Intent = Field(
        description="What the author wants most probably; a guess where intent_confidence is under 0.6."
    )
    intent_confidence: Confidence = Field(description="Calibrated probability of intent, 0 to 1.")
    other_intents: list[OtherIntent] = Field(description="Further intents above 0.3, most probable first.")
    author: SignalAuthor = Field(description="Who wrote it.")
    engagement: Engagement = Field(description="How much it was answered.")
    captured_at: Moment | None = Field(
        description="When it was published, RFC 3339 UTC; null where the source gave no date."
    )
    first_seen_at: Moment = Field(description="When it was first heard here, RFC 3339 UTC.")
    freshness_bucket: FreshnessBucket = Field(description="How old it is, in words; unknown without a date.")
    match_reason: str = Field(description="One sentence of evidence: which words matched and what made the intent.")
    also_seen: list[Place] = Field(description="Other places of the same story.")
    language: str | None = Field(description="BCP 47 tag of its language, or null where unknown.")
