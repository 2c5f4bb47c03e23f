"""A process that writes without end and says each time what was acknowledged; killed by the test that started it."""

import asyncio
import sys
from itertools import count

from signal_playbooks.clock import Clock
from signal_playbooks.post import Post
from signal_playbooks.store.act import Act
from signal_playbooks.store.database import open_store


async def main(file: str) -> None:
    clock = Clock()
    store = open_store(file, clock)
    for number in count():
        handle, now = f"disp_{number}", clock.now()
        post = Post("board", str(number), f"https://board.example/{number}", title=f"word{number}", body="body " * 200)
        act = Act(handle, "sig_1", "flag", {"n": number}, "staged", "", {}, None, now, None, "ci")
        await asyncio.gather(store.archive.add([post]), store.signals.remember([(post, None)]), store.acts.stage(act))
        await store.acts.begin_commit(handle, "ci")
        print(number, flush=True)


asyncio.run(main(sys.argv[1]))
