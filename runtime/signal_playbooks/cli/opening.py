"""How a command gets the application: from its options, the environment and the folder it runs in."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from signal_playbooks.app import App, open_app
from signal_playbooks.cli.reading import settings_of
from signal_playbooks.clock import Clock


@contextmanager
def opened(content: Path | None, database: str | None, *, sound: bool = True) -> Iterator[App]:
    """Open the application for one command, and close it whatever happens.

    With `sound`, content that does not check is refused first; what only looks at acts and posts does without.
    """
    with open_app(settings_of(content, database), Clock(), shown_from=Path.cwd()) as app:
        if sound:
            app.library.require_sound()
        yield app
