"""The archive source: it fills itself from its folder, keeps ages where it should, and says when it is empty."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from signal_playbooks.clock import Clock
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.post import Post
from signal_playbooks.query import Query, Term
from signal_playbooks.sources.archive import ArchiveSource
from signal_playbooks.sources.connectors import CONNECTORS, Surroundings, build_sources
from signal_playbooks.sources.protocol import Page
from signal_playbooks.store.database import Store, open_store

T = TypeVar("T")
START = datetime(2026, 4, 16, 12, 0, tzinfo=UTC)
PLINTHLY = Query("Plinthly", must=((Term("Plinthly"),),))


class _Now:
    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> datetime:
        return self.moment


@pytest.fixture
def now() -> _Now:
    return _Now()


@pytest.fixture
def store(tmp_path: Path, now: _Now) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "signal.db"), Clock(now=now))
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "demo"
    made.mkdir()
    return made


@pytest.fixture
def demo(store: Store, folder: Path, now: _Now) -> Callable[..., ArchiveSource]:
    """Return what builds the source, as each process does anew."""

    def build(ages: str = "relative", posts: Path | None = folder) -> ArchiveSource:
        return ArchiveSource(_entry(ages), store.archive, posts, Clock(now=now))

    return build


def _entry(ages: str) -> SourceEntry:
    least = {"id": "demo", "title": "Demo", "kind": "sample", "regions": ["en"], "update_cadence": "never"}
    more = {"strengths": ["a"], "weaknesses": ["b"], "connector": "archive", "archive": {"posts": "demo", "ages": ages}}
    return SourceEntry.model_validate(least | more)


def _line(native_id: str, **fields: Any) -> str:
    least = {
        "id": native_id,
        "url": f"https://board.example/{native_id}",
        "title": f"Plinthly {native_id}",
        "age": "3h",
    }
    return json.dumps(least | fields)


def _write(folder: Path, *lines: str, name: str = "board.jsonl") -> None:
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _run(question: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(question)


def _search(source: ArchiveSource, since: datetime | None = None, limit: int = 50) -> Page:
    async def search() -> Page:
        [page] = [page async for page in source.search(PLINTHLY, since=since, limit=limit)]
        return page

    return asyncio.run(search())


def _ids(page: Page) -> set[str]:
    return {post.native_id for post in page.posts}


def test_it_fills_itself_when_first_asked(demo: Callable[..., ArchiveSource], folder: Path) -> None:
    """A newcomer listens without having imported anything."""
    _write(folder, _line("1"), _line("2"))
    _write(folder, _line("3"), name="subs.jsonl")
    assert _ids(_search(demo())) == {"1", "2", "3"}


def test_a_changed_folder_is_read_again_and_an_unchanged_one_is_not(
    demo: Callable[..., ArchiveSource], folder: Path, now: _Now, store: Store
) -> None:
    """What was taken out of the folder is gone; what stands there unchanged costs nothing."""
    _write(folder, _line("1"), _line("2"))
    source = demo()
    _search(source)
    now.moment += timedelta(hours=1)
    _search(demo())
    stamp = asyncio.run(store.archive.stamp("demo"))
    assert stamp is not None
    assert stamp[1] == START
    _write(folder, _line("2"), _line("3"))
    assert _ids(_search(source)) == {"2", "3"}


def test_every_post_keeps_its_age_where_ages_are_relative(
    demo: Callable[..., ArchiveSource], folder: Path, now: _Now
) -> None:
    """Half a year after it was filled, the demo is still about this week."""
    _write(folder, _line("new", age="3h"), _line("old", age="20d"), _line("undated", age=None))
    source = demo()
    _search(source)
    now.moment += timedelta(days=180)
    week = _search(source, since=now.moment - timedelta(days=7))
    assert [(post.native_id, post.published_at) for post in week.posts] == [("new", now.moment - timedelta(hours=3))]
    [reply] = _run(source.thread(week.posts[0], limit=5)).posts
    assert reply.published_at == now.moment - timedelta(hours=3)
    assert {post.published_at for post in _search(source).posts} >= {None}


def test_posts_grow_old_where_ages_are_fixed(demo: Callable[..., ArchiveSource], folder: Path, now: _Now) -> None:
    """One's own posts are as old as they are."""
    _write(folder, _line("1", age="3h"))
    source = demo("fixed")
    _search(source)
    now.moment += timedelta(days=180)
    assert _search(source, since=now.moment - timedelta(days=7)).posts == ()
    assert _search(source).posts[0].published_at == START - timedelta(hours=3)


def test_a_clock_that_went_back_makes_no_post_younger(
    demo: Callable[..., ArchiveSource], folder: Path, now: _Now
) -> None:
    """A machine whose time was wrong when the archive was filled must not show posts from tomorrow."""
    _write(folder, _line("1"))
    _search(demo())
    now.moment -= timedelta(days=3)
    assert _search(demo()).posts[0].published_at == START - timedelta(hours=3)


def test_lines_that_are_no_posts_are_told_and_the_others_are_heard(
    demo: Callable[..., ArchiveSource], folder: Path
) -> None:
    """A typing error in one line must neither end the listen nor stay unnoticed."""
    _write(folder, _line("1"), '{"id": "2"}', "nonsense")
    page = _search(demo())
    assert _ids(page) == {"1"}
    assert page.note == "2 lines of its posts could not be read; the first is line 2 of board.jsonl: url is missing."


@pytest.mark.parametrize("missing", [True, False])
def test_an_archive_with_nothing_in_it_says_what_to_do(
    demo: Callable[..., ArchiveSource], folder: Path, missing: bool
) -> None:
    """No results because nothing is kept is another thing than no results because nobody talks about it."""
    page = _search(demo(posts=None if missing else folder))
    assert page.posts == ()
    assert page.note is not None
    assert ("signal import" in (page.suggested_action or "")) is missing


def test_an_archive_with_posts_says_nothing_when_none_fits(demo: Callable[..., ArchiveSource], folder: Path) -> None:
    """An honest nothing needs no advice."""
    _write(folder, _line("1", title="Ferrohook"))
    page = _search(demo())
    assert (page.posts, page.note, page.suggested_action) == ((), None, None)


def test_more_posts_than_are_read_are_partial(demo: Callable[..., ArchiveSource], folder: Path) -> None:
    """The answer says that it is not all."""
    _write(folder, *(_line(str(number)) for number in range(12)))
    page = _search(demo(), limit=10)
    assert len(page.posts) == 10
    assert page.partial
    assert "More than 10 posts" in (page.note or "")


def test_a_thread_an_author_and_whether_a_post_is_there(demo: Callable[..., ArchiveSource], folder: Path) -> None:
    """What inspect asks of a source."""
    _write(
        folder,
        _line("1", author="ana"),
        _line("2", parent_id="1", author="ben", age="2h"),
        _line("3", parent_id="2", author="ana", age="1h"),
        _line("9", author="ana", title="Something else"),
    )
    source = demo()
    [second] = [post for post in _search(source).posts if post.native_id == "2"]
    assert [post.native_id for post in _run(source.thread(second, limit=9)).posts] == ["1", "2", "3"]
    assert _run(source.thread(second, limit=2)).more == 1
    assert {post.native_id for post in _run(source.author("ana", limit=9))} == {"1", "3", "9"}
    assert _run(source.exists(second)) == "there"
    gone = Post("demo", "77", "https://board.example/77", title="gone")
    assert _run(source.exists(gone)) == "gone"
    assert _run(source.thread(gone, limit=9)).posts == (gone,)


def test_listens_at_once_fill_it_once(demo: Callable[..., ArchiveSource], folder: Path) -> None:
    """Two lanes that ask at the same time see the same whole archive."""
    _write(folder, *(_line(str(number)) for number in range(20)))
    source = demo()

    async def both() -> list[Page]:
        async def one() -> Page:
            [page] = [page async for page in source.search(PLINTHLY, since=None, limit=50)]
            return page

        return await asyncio.gather(one(), one(), one())

    assert [len(page.posts) for page in asyncio.run(both())] == [20, 20, 20]


def test_every_declared_source_is_built_by_its_connector(store: Store, folder: Path) -> None:
    """A kind is one line in a dict."""
    around = Surroundings(store.archive, lambda name: folder if name == "demo" else None, Clock())
    assert build_sources([_entry("fixed")], around)["demo"].id == "demo"
    assert set(CONNECTORS) == {"archive"}
