"""One of several processes that hear, file and stage the same at once; prints what it was told, as JSON."""

import asyncio
import json
import sys

from signal_playbooks.clock import Clock
from signal_playbooks.post import Post
from signal_playbooks.store.act import Act
from signal_playbooks.store.database import open_store


async def main(file: str) -> None:
    clock = Clock()
    store = open_store(file, clock)
    told: dict[str, list[object]] = {"ids": [], "new": [], "added": [], "handles": [], "begun": []}
    for number in range(60):
        posts = [Post("board", f"{number}-{n}", f"https://board.example/{number}-{n}", title="t") for n in range(5)]
        heard = await store.signals.remember([(post, f"story {number}") for post in posts])
        told["ids"].append(heard[0].signal_id)
        told["new"].append(sum(each.new for each in heard))
        told["added"].append((await store.archive.add(posts)).new)
        wish = Act(
            clock.new_id("disp"), heard[0].signal_id, "flag", {}, "staged", "", {}, None, clock.now(), None, "ci"
        )
        act, _ = await store.acts.stage(wish)
        told["handles"].append(act.handle)
        told["begun"].append(await store.acts.begin_commit(act.handle, "ci") is not None)
    store.close()
    print(json.dumps(told))


asyncio.run(main(sys.argv[1]))
