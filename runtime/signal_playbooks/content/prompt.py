"""Prompt and draft files: front matter that says what they are, and a body that is a sandboxed template."""

from typing import ClassVar

from pydantic import Field

from signal_playbooks.content.model import ContentModel, Id, Title
from signal_playbooks.contract.vocabulary import Intent


class PromptArgument(ContentModel):
    """One argument of a prompt, always text."""

    what: ClassVar[str] = "an argument"

    name: Id = Field(description="Its name in the body.")
    description: str = Field(description="What to give.")
    required: bool = Field(default=False, description="Whether it must be given.")


class PromptFront(ContentModel):
    """Front matter of a file in prompts/."""

    what: ClassVar[str] = "a prompt"

    id: Id = Field(description="The file's name without its ending.")
    title: Title = Field(description="Its everyday name.")
    description: str = Field(description="What it asks for and what it leads to.")
    arguments: list[PromptArgument] = Field(default_factory=list, description="What it takes.")


class DraftFront(ContentModel):
    """Front matter of a file in prompts/drafts/."""

    what: ClassVar[str] = "a draft"

    id: Id = Field(description="The file's name without its ending.")
    title: Title = Field(description="Its everyday name.")
    intent: Intent = Field(description="The intent that it answers.")


class PromptEntry(ContentModel):
    """A prompt, ready to render."""

    front: PromptFront
    body: str


class DraftEntry(ContentModel):
    """A reply draft for one intent, ready to render with signal, author, tone and language."""

    front: DraftFront
    body: str
