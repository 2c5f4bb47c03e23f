"""Where content and data live: the only reader of the environment, which is passed in."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from signal_playbooks.errors import UsageError

SETTINGS_FILE = "signal.yaml"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are.

    `content` is the person's own content folder, None where there is none; `database` a file or a URL; `data` the
    folder that destinations of the kind file write into, beside the database.
    """

    content: Path | None
    shipped: Path
    database: str
    data: Path


def _shipped_content() -> Path:
    # A wheel carries the four folders inside the package; a checkout has them two levels above it.
    package = Path(__file__).parent
    inside = package / "_shipped"
    return inside if inside.is_dir() else package.parent.parent


def _own_content(option: Path | None, environment: Mapping[str, str], directory: Path) -> Path | None:
    asked = option or (Path(named) if (named := environment.get("SIGNAL_CONTENT")) else None)
    if asked is not None:
        folder = (directory / asked.expanduser()).absolute()
        if not folder.is_dir():
            raise UsageError(
                f"There is no content folder at {asked}.",
                "Name a folder that exists, or make one with: signal init DIR",
            )
        return folder
    above = (folder for folder in (directory, *directory.parents) if (folder / SETTINGS_FILE).is_file())
    return next(above, None)


def _database(option: str | None, environment: Mapping[str, str], directory: Path) -> tuple[str, Path]:
    """Return the database and the folder beside it."""
    asked = option if option is not None else environment.get("SIGNAL_DB") or None
    if asked is not None and not asked.strip():
        raise UsageError("--db is empty.", "Name a file, such as --db signal.db, or leave the option out.")
    home = Path(platformdirs.user_data_dir("signal", appauthor=False))
    if asked is None:
        return str(home / "signal.db"), home
    if "://" in asked and not asked.startswith("sqlite:///"):
        return asked, home
    file = directory / Path(asked.removeprefix("sqlite:///")).expanduser()
    return str(file), file.parent


def wants_color(environment: Mapping[str, str]) -> bool:
    """Tell whether a terminal may be written to in color: no NO_COLOR (no-color.org), and one that knows colors."""
    return not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def wants_traces(environment: Mapping[str, str]) -> bool:
    """Tell whether whoever runs this wants to see where an unexpected error came from (SIGNAL_DEBUG)."""
    return environment.get("SIGNAL_DEBUG", "") not in ("", "0")


def read_settings(
    environment: Mapping[str, str], directory: Path, *, content: Path | None = None, database: str | None = None
) -> Settings:
    """Return the settings of this environment and working directory; options given win over variables.

    Raises UsageError where a named content folder is not there, or the database's name is empty.
    """
    where, data = _database(database, environment, directory)
    return Settings(
        content=_own_content(content, environment, directory), shipped=_shipped_content(), database=where, data=data
    )
