"""signal.yaml: the file that makes a folder a content folder, and says how it lies over the shipped content."""

from typing import ClassVar, Literal

from pydantic import Field

from signal_playbooks.content.model import ContentModel


class SiteFile(ContentModel):
    """A whole signal.yaml."""

    what: ClassVar[str] = "signal.yaml"

    signal: Literal[1] = Field(default=1, description="Version of this file.")
    shipped: bool = Field(default=True, description="false starts from nothing; true lies over the shipped content.")
