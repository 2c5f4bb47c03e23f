"""The destination file: where a committed act is delivered, and how."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args

from pydantic import Field

from signal_playbooks.content.model import ContentModel, Id, Title
from signal_playbooks.content.source import FolderName

FileFormat = Literal["json", "markdown"]


class FileOptions(ContentModel):
    """A folder in the application's data folder, one file an act and format."""

    what: ClassVar[str] = "file"

    folder: FolderName = Field(default="outbox", description="The folder's name in the data folder.")
    formats: list[FileFormat] = Field(
        default_factory=lambda: list(get_args(FileFormat)), min_length=1, description="What is written for each act."
    )


# Destination kinds and the model of the options each takes, under a key of its own name.
DESTINATION_OPTIONS: Mapping[str, type[ContentModel]] = {"file": FileOptions}


class DestinationEntry(ContentModel):
    """A whole destination file."""

    what: ClassVar[str] = "a destination"

    id: Id = Field(description="The file's name without its ending; what params.destination names.")
    title: Title = Field(description="Its everyday name.")
    kind: str = Field(description="How it is delivered to.")
    what_for: str = Field(alias="what", description="What arrives there, and who reads it.")
    file: FileOptions | None = Field(default=None, description="Options of the kind file.")

    @property
    def options(self) -> Any:
        """Return the kind's options, defaults where the file gives none."""
        return getattr(self, self.kind, None) or DESTINATION_OPTIONS[self.kind]()
