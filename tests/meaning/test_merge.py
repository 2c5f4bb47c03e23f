"""One story is known by one key in all its places, and two stories never share one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.meaning.merge import canonical_address, merge_places, story_key
from signal_playbooks.post import Post

TRACKING = ("utm_*", "ref", "rank", "fbclid")
SCHEMES = ["http://", "https://", "www.", "//", "javascript:"]
HOSTS = ["a.example", "[::1]", "[", "]", "@", "日本", ":443", ":99999", ":x"]
REST = ["/", "?", "#", "&", "=", "%", "%zz", "%2f", "%C3", "é", "\ud83d", " ", "\n", "utm_x=1", "id=1", ";", ".."]
ADDRESS_PARTS = st.lists(st.sampled_from([*SCHEMES, *HOSTS, *REST]), max_size=12).map("".join)


def linked(link: str | None, number: int = 1, *, parent_id: str | None = None) -> Post:
    """Return a post that points to an article."""
    url = f"https://board.example/item/{number}"
    return Post("board", str(number), url, link, "Ask: which?", parent_id=parent_id)


@pytest.mark.parametrize(
    "places",
    [
        [
            "https://paper.example/Article?utm_source=board&utm_medium=social",
            "http://www.paper.example/Article",
            "https://paper.example/Article/",
            "https://paper.example/Article?rank=3",
            "HTTPS://Paper.Example:443/Article#comments",
            "http://paper.example:80/Article?ref=home&fbclid=x",
            "https://user@paper.example./Article//",
        ],
        ["https://a.example/x?b=2&a=1", "https://a.example/x?a=1&utm_id=7&b=2"],
        ["https://a.example/%7Ewho/%c3%a9", "https://a.example/~who/%C3%A9"],
        ["https://app.example/#!/page/7", "http://www.app.example#!/page/7"],
    ],
)
def test_one_article_has_one_key_in_every_place(places: list[str], vocabulary: Vocabulary) -> None:
    """Aggregators add parameters, feeds add slashes, people drop www: it is one story with all their answers."""
    keys = {story_key(linked(link), vocabulary) for link in places}
    assert len(keys) == 1
    assert None not in keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://video.example/watch?v=aBcD", "https://video.example/watch?v=abCD"),
        ("https://video.example/AbC", "https://video.example/abc"),
        ("https://a.example/item?id=1", "https://a.example/item?id=2"),
        ("https://a.example/item?id=1", "https://a.example/item"),
        ("https://a.example/x", "https://a.example:8080/x"),
        ("https://a.example/x", "https://b.example/x"),
        ("https://a.example/x%2Fy", "https://a.example/x/y"),
        ("https://app.example/#!/page/7", "https://app.example/#!/page/8"),
        ("https://a.example/x?tag=a&tag=b", "https://a.example/x?tag=a"),
    ],
)
def test_addresses_of_different_things_stay_apart(one: str, other: str, vocabulary: Vocabulary) -> None:
    """Merging two stories hides one of them for good."""
    assert story_key(linked(one), vocabulary) != story_key(linked(other), vocabulary)


def test_two_posts_of_one_title_that_point_nowhere_stay_apart(vocabulary: Vocabulary) -> None:
    """An Ask post is its own subject: its key is its own permanent link."""
    keys = {story_key(linked(None, number), vocabulary) for number in (1, 2)}
    assert keys == {"board.example/item/1", "board.example/item/2"}


def test_posts_that_point_to_a_front_page_stay_apart(vocabulary: Vocabulary) -> None:
    """A launch and a complaint may both point to plinthly.example; they are not one story."""
    for address in (
        "https://plinthly.example",
        "http://www.plinthly.example/?utm_source=x",
        "https://plinthly.example/#top",
    ):
        assert story_key(linked(address), vocabulary) == "board.example/item/1"


def test_a_comment_is_never_the_article_it_stands_under(vocabulary: Vocabulary) -> None:
    """What somebody says about an article is a signal of its own, and two people answer one post."""
    answer = linked("https://paper.example/article", parent_id="0")
    assert story_key(answer, vocabulary) is None


def test_posts_that_only_a_fragment_tells_apart_stay_apart(vocabulary: Vocabulary) -> None:
    """A digest of a list, a thread on one page: there the fragment is all the address a post has."""
    first, second = (Post("list", str(n), url=f"https://list.example/digest#m{n}") for n in (1, 2))
    assert story_key(first, vocabulary) != story_key(second, vocabulary)
    article = Post("feed", "1", url="https://paper.example/article#comments")
    assert story_key(article, vocabulary) == "paper.example/article"


@pytest.mark.parametrize(
    "address", ["", "javascript:alert(1)", "mailto:x@y.example", "file:///etc/passwd", "http://", "//x/y"]
)
def test_what_is_no_web_address_makes_no_key(address: str, vocabulary: Vocabulary) -> None:
    """Then the post's own link counts, and where that is none either, nothing does."""
    assert canonical_address(address, TRACKING) is None
    assert story_key(linked(address), vocabulary) == "board.example/item/1"
    assert story_key(Post("board", "1", url=address, link=address), vocabulary) is None


@given(address=ADDRESS_PARTS | st.text(max_size=40))
def test_any_address_has_a_key_or_none(address: str, vocabulary: Vocabulary) -> None:
    """Addresses come from strangers; none of them may end a listen."""
    story_key(linked(address), vocabulary)
    key = canonical_address(f"https://a.example/{address}", TRACKING)
    assert key is None or key == canonical_address(f"http://www.a.example/{address}", TRACKING)


def test_places_are_listed_once_and_the_most_answered_first() -> None:
    """The lead's own place is not among the others."""
    lead = Post("board", "1", "https://board.example/1")
    others = [
        Post("feed", "a", "https://feed.example/a"),
        Post("subs", "2", "https://subs.example/2", score=3, comments=4),
        Post("subs", "2", "https://subs.example/2", score=5, comments=4),
        Post("micro", "3", "https://micro.example/3", score=9),
        lead,
    ]
    places = merge_places(lead, others)
    assert [(place.source, place.engagement.score, place.engagement.comments) for place in places] == [
        ("micro", 9, None),
        ("subs", 5, 4),
        ("feed", None, None),
    ]


@given(st.permutations([Post(source, "1", f"https://{source}.example/1") for source in ("a", "b", "c")]))
def test_places_come_in_the_same_order_however_they_are_found(others: list[Post]) -> None:
    """Which source answers first is chance."""
    assert [place.source for place in merge_places(Post("x", "1", "https://x.example"), others)] == ["a", "b", "c"]
