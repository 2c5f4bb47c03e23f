"""The base of every model on the wire: frozen, closed to unknown fields, times in RFC 3339 UTC."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer


class WireModel(BaseModel):
    """A frozen value that refuses fields it does not know; built when first used, for a command needs few of them."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


def as_utc(moment: datetime) -> datetime:
    """Return the moment in UTC; one without a zone is taken as UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def rfc3339(moment: datetime) -> str:
    """Return the moment as RFC 3339 in UTC, to the second: `2026-04-16T18:42:11Z`."""
    return as_utc(moment).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


Moment = Annotated[
    datetime, AfterValidator(as_utc), PlainSerializer(rfc3339, return_type=str, when_used="json-unless-none")
]
