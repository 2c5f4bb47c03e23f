"""signal listen: find people talking about a thing."""

import asyncio
from typing import Annotated, Any

import typer

from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, SourcesOption, command, listed
from signal_playbooks.cli.progress import Progress, progress
from signal_playbooks.cli.show import print_json, show_listen
from signal_playbooks.contract.listen import Coverage, ListenInput, ListenOutput
from signal_playbooks.contract.reading import read_input
from signal_playbooks.contract.signal import Signal
from signal_playbooks.errors import SignalError
from signal_playbooks.tools.protocol import Tools

app = command("Find people talking about a thing.")


@app.command(epilog='Example: signal listen "people leaving Plinthly over price" --sources demo --intent complaining')
def listen(
    query: Annotated[str, typer.Argument(help="What to listen for, in plain words.", show_default=False)],
    sources: SourcesOption = None,
    freshness: Annotated[str, typer.Option(help="last_hour, today, this_week, this_month or any.")] = "this_week",
    intent: Annotated[list[str] | None, typer.Option(help="Keep only this intent; may be repeated.")] = None,
    min_engagement: Annotated[int, typer.Option(help="Drop signals with a lower score.")] = 0,
    limit: Annotated[int, typer.Option(help="How many signals at most, 1 to 100.")] = 20,
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Find people talking about a thing: ranked signals, each with why it was returned, and what could not be heard."""
    scope: dict[str, Any] = {"freshness": freshness, "min_engagement": min_engagement, "sources": listed(sources)}
    raw = {
        "query": query,
        "scope": scope,
        "intent_filter": listed(",".join(intent) if intent else None),
        "limit": limit,
    }
    request = read_input(ListenInput, raw)
    with opened(content, db) as app_, progress(as_json) as shown:
        output = asyncio.run(_listened(app_.tools, request, shown))
    if as_json:
        print_json(output.model_dump(mode="json", by_alias=True))
    else:
        show_listen(output)


async def _listened(tools: Tools, request: ListenInput, shown: Progress) -> ListenOutput:
    async for heard in tools.listen(request, LOCAL):
        match heard:
            case Signal():
                shown.heard("", heard)
            case Coverage():
                shown.covered("", heard)
            case ListenOutput():
                return heard
    raise SignalError("The listen ended without an answer.", "Run it again.")
