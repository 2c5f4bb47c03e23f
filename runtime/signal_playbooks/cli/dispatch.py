"""signal dispatch: stage an act on a signal."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import act_exit_code, print_json, show_act
from signal_playbooks.contract.dispatch import DispatchInput
from signal_playbooks.contract.reading import read_input
from signal_playbooks.errors import UsageError

app = command("Stage an act on a signal.")

_TRUTH = {"true": True, "false": False}
_SWITCHES = frozenset({"again", "commit", "discard"})


@app.command(epilog="Example: signal dispatch sig_01J… draft_reply --param tone=direct")
def dispatch(
    signal_id: Annotated[str, typer.Argument(help="A sig_… id from a listen.", show_default=False)],
    action: Annotated[
        str, typer.Argument(help="archive, flag, route, draft_reply or schedule_followup.", show_default=False)
    ],
    param: Annotated[list[str] | None, typer.Option("--param", metavar="K=V", help="A param; may be repeated.")] = None,
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Stage an act on a signal; nothing is sent until it is approved (or you pass --param commit=true)."""
    raw = {"signal_id": signal_id, "action": action, "params": params_from(param or ())}
    request = read_input(DispatchInput, raw)
    with opened(content, db) as app_:
        output = asyncio.run(app_.tools.dispatch(request, LOCAL))
    if as_json:
        print_json(output.model_dump(mode="json", by_alias=True))
    else:
        show_act(output)
    raise typer.Exit(act_exit_code(output))


def params_from(pairs: Sequence[str]) -> dict[str, Any]:
    """Return `k=v` pairs as a mapping, switches as booleans. Raises UsageError for one without `=`."""
    params: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--param {pair!r} is no name=value pair.", "Write it like --param note='call on Monday'.")
        params[name.strip()] = _TRUTH.get(value, value) if name.strip() in _SWITCHES else value
    return params
