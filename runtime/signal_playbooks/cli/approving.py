"""How a person says yes to each act that a run is about to carry out."""

import sys
from dataclasses import dataclass

import typer

from signal_playbooks.cli.show import plain
from signal_playbooks.engine.ports import CommitRequest
from signal_playbooks.errors import UsageError
from signal_playbooks.text import visible


@dataclass(frozen=True, slots=True)
class Asking:
    """Shows each act in full and asks; with `yes`, approves without asking."""

    yes: bool = False

    async def approve(self, request: CommitRequest) -> bool:
        """Tell whether this act may be carried out."""
        if self.yes:
            return True
        where = plain(request.signal.url if request.signal else request.signal_id)
        typer.echo(f"\n{request.action} on {where}", err=True)
        for line in (request.preview or "").splitlines():
            typer.echo(f"  {visible(line)}", err=True)
        return typer.confirm("Carry it out?", default=False, err=True)


def approver(commit: bool, yes: bool) -> Asking | None:
    """Return who approves commits in this run; None: nobody, everything stays staged.

    Raises UsageError where each act would be asked about and nobody is there to ask.
    """
    if not commit:
        return None
    if not yes and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("--commit asks about each act, and this is no terminal.", "Add --yes to approve them all.")
    return Asking(yes)
