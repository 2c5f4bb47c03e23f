"""The source file: what a place is good and bad at, for an agent, and how it is asked, for the runtime."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints

from signal_playbooks.content.model import ContentModel, Id, Title

FolderName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]


class KarmaThresholds(ContentModel):
    """From which karma on an author counts as low, medium, high, established; below low they are new."""

    what: ClassVar[str] = "karma thresholds"

    low: int = Field(description="At least this: low.")
    medium: int = Field(description="At least this: medium.")
    high: int = Field(description="At least this: high.")
    established: int = Field(description="At least this: established.")


class ArchiveOptions(ContentModel):
    """How a source of kept posts is filled and read."""

    what: ClassVar[str] = "archive"

    posts: FolderName | None = Field(
        default=None, description="A folder of .jsonl files beside sources/ that fills it; without one, signal import."
    )
    ages: Literal["fixed", "relative"] = Field(
        default="fixed", description="relative: each post keeps its age, so that a sample never goes stale."
    )


# Connector kinds and the model of the options each takes, under a key of its own name.
CONNECTOR_OPTIONS: Mapping[str, type[ContentModel]] = {"archive": ArchiveOptions}


class SourceEntry(ContentModel):
    """A whole source file."""

    what: ClassVar[str] = "a source"

    id: Id = Field(description="The file's name without its ending; what scope.sources names.")
    title: Title = Field(description="Its everyday name.")
    kind: Id = Field(description="What kind of place it is: forum, board, questions, issues, feed, archive…")
    regions: list[str] = Field(min_length=1, description="Languages or regions it speaks for.")
    update_cadence: str = Field(description="How soon something said there can be heard.")
    strengths: list[str] = Field(min_length=1, description="What it is good at.")
    weaknesses: list[str] = Field(min_length=1, description="What it is bad at.")
    filters: list[str] = Field(default_factory=list, description="What a search there can be narrowed by.")
    connector: str = Field(description="How it is asked.")
    archive: ArchiveOptions | None = Field(default=None, description="Options of the archive connector.")
    karma: KarmaThresholds | None = Field(default=None, description="Thresholds of author.karma_bucket.")

    @property
    def options(self) -> Any:
        """Return the connector's options, defaults where the file gives none."""
        return getattr(self, self.connector, None) or CONNECTOR_OPTIONS[self.connector]()
