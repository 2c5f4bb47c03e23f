"""inspect: three depths, and an honest word on how fresh the answer is."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from signal_playbooks.caller import LOCAL, Caller
from signal_playbooks.contract.inspect import InspectInput, InspectOutput
from signal_playbooks.errors import NotAllowed, SourceUnavailable, UnknownSignal
from signal_playbooks.sources.protocol import Conversation, Page
from signal_playbooks.tools.size import fit, size
from tools.world import NOW, Scripted, World, post

Build = Callable[..., World]


def _source() -> Scripted:
    lead = post("1", author="ana", body="See https://plinthly.example/pricing (and [this](https://x.example/a)).")
    reply = post("2", title="", body="Same here: https://y.example/b.", author="ben", parent_id="1", root_id="1")
    own = post("3", title="", body="Thanks", author="ana", parent_id="2", root_id="1", score=None)
    deleted = post("4", title="", body="[deleted]", author=None, parent_id="1", root_id="1")
    history = (lead, post("7", author="ana", body="I am a solo founder and our MRR is small; bootstrapped since 2020."))
    return Scripted(
        "board",
        [Page((lead,))],
        threads={"1": Conversation((lead, reply, own, deleted), 3)},
        authors={"ana": history},
    )


def _inspected(here: World, depth: str = "thread", caller: Caller = LOCAL, **listen: Any) -> InspectOutput:
    async def both() -> InspectOutput:
        signal = (await here.heard(**listen)).output.signals[0]
        return await here.tools.inspect(InspectInput.model_validate({"signal_id": signal.id, "depth": depth}), caller)

    return asyncio.run(both())


def test_surface_asks_only_whether_it_is_still_there(world: Build) -> None:
    """A cache check must cost one question."""
    source = _source()
    found = _inspected(world(source), "surface")
    assert source.asked == ["search", "exists"]
    assert (found.status, found.checked_at, found.thread, found.author_context) == ("live", NOW, None, None)


def test_thread_comes_in_reading_order_with_the_posters_own_replies_marked(world: Build) -> None:
    """Who opened the thread answers differently from everybody else."""
    found = _inspected(world(_source()))
    assert found.thread is not None
    assert [(item.id, item.parent_id, item.author, item.is_op_reply) for item in found.thread] == [
        ("1", None, "ana", False),
        ("2", "1", "ben", False),
        ("3", "2", "ana", True),
        ("4", "1", None, False),
    ]
    assert found.thread[2].score is None
    assert found.thread_more == 3
    assert found.author_context is None


def test_links_are_told_once_and_where_they_stand(world: Build) -> None:
    """As written, without the punctuation around them."""
    found = _inspected(world(_source()))
    assert [(link.url, link.where) for link in found.links] == [
        ("https://plinthly.example/pricing", "post"),
        ("https://x.example/a", "post"),
        ("https://y.example/b", "thread"),
    ]


def test_author_adds_who_wrote_it(world: Build) -> None:
    """Each hint with the words behind it."""
    found = _inspected(world(_source()), "author")
    assert found.author_context is not None
    assert found.author_context.likely_role_hint == "indie_founder"
    assert found.author_context.evidence
    assert found.thread is not None


def test_a_deleted_author_is_never_looked_up(world: Build) -> None:
    """There is nobody to ask about, and no request is made."""
    source = Scripted("board", [Page((post("1", author=None),))])
    found = _inspected(world(source), "author")
    assert not [what for what in source.asked if what.startswith("author")]
    assert found.author_context is not None
    assert found.author_context.likely_role_hint == "unknown"
    assert found.author_context.recent_posts_bucket == "unknown"
    assert found.author_context.evidence == []


def test_a_deleted_post_is_gone_and_its_text_here_too(world: Build) -> None:
    """Whoever deletes a post has it deleted here."""
    source = _source()
    here = world(source)
    first = _inspected(here)
    source.existence = "gone"
    here.time.passes(hours=1)

    async def again() -> InspectOutput:
        return await here.tools.inspect(InspectInput(signal_id=first.signal.id, depth="author"), LOCAL)

    found = asyncio.run(again())
    assert (found.status, found.checked_at) == ("gone", NOW + timedelta(hours=1))
    assert found.thread == []
    assert "plinthly.example" not in found.model_dump_json()
    source.asked.clear()
    assert asyncio.run(again()).status == "gone"
    assert source.asked == []


def test_a_source_that_cannot_answer_leaves_what_was_kept(world: Build) -> None:
    """Cached says so, and since when."""
    source = _source()
    here = world(source)
    live = _inspected(here, "author")
    here.time.passes(hours=2)
    source.error = SourceUnavailable("down")

    async def again(depth: Any) -> InspectOutput:
        return await here.tools.inspect(InspectInput(signal_id=live.signal.id, depth=depth), LOCAL)

    cached = asyncio.run(again("author"))
    assert (cached.status, cached.checked_at) == ("cached", NOW)
    assert (cached.thread, cached.thread_more) == (live.thread, live.thread_more)
    assert cached.author_context is not None
    assert cached.author_context.likely_role_hint == "indie_founder"
    assert cached.signal.freshness_bucket == "today"


def test_a_source_that_was_removed_leaves_what_was_kept(world: Build, tmp_path: Any) -> None:
    """A catalog entry may go; what was heard there stays readable."""
    file = tmp_path / "signal.db"
    first = _inspected(world(_source(), file=file))
    other = world(Scripted("elsewhere"), file=file)
    request = InspectInput(signal_id=first.signal.id)
    found = asyncio.run(other.tools.inspect(request, LOCAL))
    assert found.status == "cached"
    assert found.thread == first.thread


@pytest.mark.parametrize(
    "signal_id", ["sig_01HZ000000000000000000000", "nonsense", "../api/v1/me", "x" * 5_000, "\x00"]
)
def test_an_id_that_names_nothing_is_an_unknown_signal(world: Build, signal_id: str) -> None:
    """With what to do, and without asking any source."""
    source = _source()
    with pytest.raises(UnknownSignal) as refused:
        asyncio.run(world(source).tools.inspect(InspectInput(signal_id=signal_id), LOCAL))
    assert "listen" in (refused.value.suggested_action or "")
    assert len(refused.value.message) < 200
    assert source.asked == []


def test_an_address_in_place_of_an_id_finds_what_was_heard_there(world: Build) -> None:
    """People paste what they see in their browser."""
    here = world(_source())
    first = _inspected(here)
    found = asyncio.run(here.tools.inspect(InspectInput(signal_id=first.signal.url), LOCAL))
    assert found.signal.id == first.signal.id
    with pytest.raises(UnknownSignal, match="No signal was heard at"):
        asyncio.run(here.tools.inspect(InspectInput(signal_id="https://board.example/none"), LOCAL))


def test_a_limited_key_sees_a_story_only_at_its_own_places(world: Build) -> None:
    """The same signal, as if its other place did not exist."""
    link = "https://news.example/plinthly"
    first = Scripted("secret", [Page((post("1", "secret", link=link, author="sam"),))])
    second = Scripted("board", [Page((post("2", "board", link=link, author="bea"),))])
    here = world(first, second)
    narrow = Caller("ci", sources=frozenset({"board"}))
    found = _inspected(here, "thread", narrow)
    assert (found.signal.source, found.signal.author.handle) == ("board", "bea")
    assert "secret" not in found.model_dump_json()
    assert first.asked == ["search"]
    with pytest.raises(UnknownSignal):
        _inspected(here, "thread", Caller("x", sources=frozenset({"feed"})))


def test_a_key_that_may_not_read_inspects_nothing(world: Build) -> None:
    """Staging needs to read nothing through this tool."""
    with pytest.raises(NotAllowed):
        _inspected(world(_source()), caller=Caller("x", scopes=frozenset({"stage"})))


def test_a_long_thread_fits_the_wire_and_says_what_was_left_out(world: Build) -> None:
    """1,500 comments of 10,000 characters."""
    lead = post("0")
    replies = tuple(
        post(str(n), title="", body=f"https://x.example/{n} " + "word " * 2_000, parent_id="0", root_id="0")
        for n in range(1, 1_500)
    )
    source = Scripted("board", [Page((lead,))], threads={"0": Conversation((lead, *replies))})
    found = _inspected(world(source))
    fitted = fit(found)
    assert size(fitted) <= 60_000
    assert fitted.thread
    assert len(fitted.thread) + (fitted.thread_more or 0) == 1_500


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("see (https://x.example/a_(b)) ok", ["https://x.example/a_(b)"]),
        ("HTTP://X.example/A, http://x.example/a!", ["HTTP://X.example/A", "http://x.example/a"]),
        ("<https://x.example>; 'https://y.example'", ["https://x.example", "https://y.example"]),
        ("ftp://x.example javascript:alert(1) https:// www.x.example", []),
        ("https://x.example/" + "a" * 5_000, []),
        ("https://x.example/" + ")" * 1_500, ["https://x.example/"]),
    ],
)
def test_addresses_are_found_as_a_reader_would(world: Build, text: str, urls: list[str]) -> None:
    """Brackets that belong to an address stay, those of the sentence go."""
    found = _inspected(world(Scripted("board", [Page((post("1", body=text),))])), "surface")
    assert [link.url for link in found.links] == urls
