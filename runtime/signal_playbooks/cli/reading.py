"""How a command gets at the content, without opening a database."""

import os
from pathlib import Path

from signal_playbooks.content.library import Library, load_library
from signal_playbooks.settings import Settings, read_settings


def settings_of(content: Path | None, database: str | None) -> Settings:
    """Return the settings these options, the environment and the working directory make."""
    return read_settings(os.environ, Path.cwd(), content=content, database=database)


def library_of(content: Path | None) -> Library:
    """Return the whole content in use, loaded, with its problems."""
    settings = settings_of(content, None)
    return load_library(settings.shipped, settings.content, shown_from=Path.cwd())
