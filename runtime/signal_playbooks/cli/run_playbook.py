"""signal run-playbook: run a playbook; print what was found and what is staged."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from signal_playbooks.app import App
from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.approving import approver
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, SourcesOption, command, listed
from signal_playbooks.cli.progress import progress
from signal_playbooks.cli.show import print_json, show_run
from signal_playbooks.cli.show_plan import show_plan
from signal_playbooks.errors import UsageError

app = command("Run a playbook.")


@app.command(
    name="run-playbook", epilog="Example: signal run-playbook competitor_churn --set competitor=Plinthly --sources demo"
)
def run_playbook(
    playbook_id: Annotated[str, typer.Argument(metavar="ID", help="The playbook.", show_default=False)],
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="An input; may be repeated.")] = None,
    inputs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Inputs from a YAML or JSON file; --set wins.", show_default=False),
    ] = None,
    sources: SourcesOption = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Call nothing; print what would run, and at most how much.")
    ] = False,
    commit: Annotated[
        bool, typer.Option("--commit", help="Carry out the acts that the playbook commits, asking about each.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --commit: approve every act without asking.")] = False,
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Run a playbook: it listens, inspects and stages; nothing is sent until you approve it.

    With --commit, a step that commits is carried out after you said yes, as far as the playbook's budget allows.

    Exit codes: 0 succeeded; 1 failed; 2 usage, or content that does not check; 3 partial; 4 an act is in doubt.
    """
    with opened(content, db) as app_:
        given = _given(app_, inputs, set_ or ())
        chosen = listed(sources) or None
        asked = _asked(app_, playbook_id, given)
        if plan:
            show_plan(app_.plan(playbook_id, asked, sources=chosen), as_json=as_json)
            return
        asking = approver(commit, yes)
        with progress(as_json or commit) as shown:
            running = app_.run(playbook_id, asked, caller=LOCAL, sources=chosen, watch=shown, approve=asking)
            result = asyncio.run(running)
    if as_json:
        print_json(result.as_dict())
    else:
        show_run(result.as_dict(), suffix=f" --db {quote(db)}" if db else "")
    raise typer.Exit(result.exit_code)


def _given(app_: App, file: Path | None, pairs: Sequence[str]) -> dict[str, Any]:
    given = dict(app_.read_inputs(file)) if file else {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {pair!r} is no name=value pair.", "Write it like --set competitor=Plinthly.")
        given[name.strip()] = value
    return given


def _asked(app_: App, playbook_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs, those that are missing asked of a person where one is there."""
    asked = dict(given)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return asked
    for name, spec in app_.missing_inputs(playbook_id, given).items():
        about = f"{spec.description or name}"
        example = f" (such as {json.dumps(spec.examples[0], ensure_ascii=False)})" if spec.examples else ""
        asked[name] = typer.prompt(f"{about}{example}", err=True)
    return asked
