"""The archive: filed once, in step with its index, in conversations that hold together."""

import json
import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from signal_playbooks.post import Post
from signal_playbooks.query import Query, Term
from signal_playbooks.store.filing import Added
from signal_playbooks.store.fulltext import wanted

CASES = json.loads((Path(__file__).parent / "search_cases.json").read_text(encoding="utf-8"))


def term(text):
    if text.startswith('"') and text.endswith('"'):
        return Term(text[1:-1], phrase=True)
    return Term(text.removesuffix("*"), prefix=text.endswith("*"))


def having(*words, **more):
    return Query(" ".join(words), must=tuple((term(word),) for word in words), **more)


def found(store, do, query, source="board", since=None, limit=50, **more):
    return [each.native_id for each in do(store.archive.search(source, query, since=since, limit=limit, **more))]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_search_finds(case, store, do, post):
    """The cases say what; what is indexed and what is asked are cut into words alike."""
    texts = [text.partition(" / ") for text in case["posts"]]
    posts = [post(str(number), title=title, body=body) for number, (title, _, body) in enumerate(texts)]
    do(store.archive.add(posts))
    query = Query(
        case["name"],
        must=tuple(tuple(map(term, group)) for group in case.get("must", ())),
        any=tuple(map(term, case.get("any", ()))),
        without=tuple(map(term, case.get("without", ()))),
    )
    answer = found(store, do, query)
    assert sorted(answer) == [str(number) for number in case["found"]]
    if "first" in case:
        assert answer[0] == str(case["first"])


def test_filing_the_same_again_changes_nothing(store, do, post):
    """An import is repeated when in doubt."""
    posts = [post(str(number)) for number in range(1300)]
    assert do(store.archive.add(posts)) == Added(new=1300)
    assert do(store.archive.add(posts)) == Added(same=1300)
    changed = [replace(posts[0], score=1), posts[1], post("new")]
    assert do(store.archive.add(changed)) == Added(new=1, changed=1, same=1)
    assert do(store.archive.get("board", "0")).score == 1
    assert do(store.archive.count("board")) == 1301


def test_of_one_post_twice_in_a_batch_the_last_is_kept(store, do, post):
    """A file may hold a post and its correction."""
    assert do(store.archive.add([post(body="old"), post(body="new")])) == Added(new=1, changed=1)
    assert do(store.archive.get("board", "1")).body == "new"
    assert found(store, do, having("old")) == []
    assert found(store, do, having("new")) == ["1"]


def test_a_post_comes_back_as_it_was_filed(store, do, post):
    """Nothing is lost or made up; only the root is added."""
    full = Post(
        "board",
        "1",
        "https://board.example/1",
        link="https://news.example/a?b=c",
        title="T",
        body="B\n\n" * 3000,
        author="mira",
        author_karma=0,
        score=None,
        comments=-1,
        published_at=post().published_at,
        language="pt-BR",
        place="c/bootstrapped",
        parent_id="0",
        root_id="0",
    )
    bare = Post("board", "2", "https://board.example/2")
    do(store.archive.add([full, bare]))
    assert do(store.archive.get("board", "1")) == full
    assert do(store.archive.get("board", "2")) == replace(bare, root_id="2")
    assert do(store.archive.get("forum", "1")) is None


def test_a_changed_post_is_found_by_its_new_words_only(store, do, post):
    """The index stays in step with the posts, through changes and deletions."""
    do(store.archive.add([post(title="apples", body="apples"), post("2", title="pears")]))
    do(store.archive.add([post(title="cherries", body="")]))
    assert found(store, do, having("apples")) == []
    assert found(store, do, having("cherries")) == ["1"]
    assert do(store.archive.forget("board", ["1", "unknown"])) == 1
    assert found(store, do, having("cherries")) == []
    assert do(store.archive.forget("board")) == 1
    assert do(store.archive.sources()) == []


def test_each_source_is_searched_by_itself(store, do, post):
    """A key limited to one source must not see another's posts."""
    do(store.archive.add([post("1", "board", title="clay"), post("1", "forum", title="clay")]))
    assert [each.source for each in do(store.archive.search("forum", having("clay"), since=None, limit=9))] == ["forum"]
    assert found(store, do, having("clay"), "elsewhere") == []
    assert do(store.archive.sources()) == ["board", "forum"]
    assert do(store.archive.forget("forum")) == 1
    assert found(store, do, having("clay"), "board") == ["1"]


def test_only_posts_of_the_time_asked_for_are_found(store, do, dial, post):
    """Both ends count in; an undated post is kept only where any time will do."""
    ages = {"new": 0, "middle": 24, "old": 48}
    dated = [post(name, title="clay", published_at=dial.now - timedelta(hours=age)) for name, age in ages.items()]
    do(store.archive.add([*dated, post("undated", title="clay", published_at=None)]))
    yesterday = dial.now - timedelta(hours=24)
    for query in (having("clay"), Query("")):
        assert found(store, do, query) == ["new", "middle", "old", "undated"], "alike in words: newest first"
        assert found(store, do, query, since=yesterday) == ["new", "middle"]
        assert found(store, do, query, until=yesterday) == ["middle", "old", "undated"]
        assert found(store, do, query, since=yesterday, until=yesterday) == ["middle"]
        assert found(store, do, query, limit=1) == ["new"]
        assert found(store, do, query, limit=0) == []


def test_a_word_in_the_title_ranks_before_one_in_the_body(store, do, post):
    """What a post is called is what it is about."""
    do(store.archive.add([post("title", title="clay", body="pots"), post("body", title="pots", body="clay")]))
    assert found(store, do, having("clay")) == ["title", "body"]


def test_a_query_of_a_thousand_words_is_answered(store, do, post):
    """The longest query there is must not meet a limit of the index."""
    do(store.archive.add([post(title="w999 w1")]))
    many = tuple(Term(f"w{number}") for number in range(1000))
    assert found(store, do, Query("", any=many)) == ["1"]
    assert found(store, do, Query("", must=(many, many), without=(Term("x"),) * 1000)) == ["1"]
    assert found(store, do, Query("", must=tuple((each,) for each in many))) == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.builds(Term, st.text(max_size=12), st.booleans(), st.booleans()), max_size=6))
def test_no_text_is_syntax_to_the_index(store, do, terms):
    """A query comes from anywhere; it is either answered or leaves nothing to ask."""
    do(store.archive.add([Post("board", "1", "https://board.example/1", title="no such word")]))
    for query in (Query("", must=tuple((each,) for each in terms)), Query("", any=tuple(terms), without=tuple(terms))):
        answer = do(store.archive.search("board", query, since=None, limit=3))
        assert len(answer) <= 1
        assert answer or wanted(query, 1) is not None or query.without, "without a word to look for all are found"


def test_the_newest_posts_of_an_author_come_first(store, do, dial, post):
    """Their latest words say most about them; a deleted author has none."""
    for number in range(4):
        moment = dial.turn(hours=1) if number else None
        do(store.archive.add([post(str(number), author="mira", published_at=moment)]))
    do(store.archive.add([post("9", author=None), post("8", author="noor")]))
    assert [each.native_id for each in do(store.archive.by_author("board", "mira", 9))] == ["3", "2", "1", "0"]
    assert [each.native_id for each in do(store.archive.by_author("board", "mira", 2))] == ["3", "2"]
    assert do(store.archive.by_author("board", None, 9)) == []


TREE = {"a": None, "b": "a", "c": "b", "d": "c", "e": "b", "f": "a"}


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_a_conversation_holds_together_in_whatever_order_it_comes(store, do, post, seed, together):
    """Comments are often imported before what they answer."""
    posts = [post(name, parent_id=parent) for name, parent in TREE.items()]
    random.Random(seed).shuffle(posts)
    for batch in [posts] if together else [[each] for each in posts]:
        do(store.archive.add(batch))
    thread, more = do(store.archive.thread("board", "a", 50))
    assert {each.native_id for each in thread} == set(TREE)
    assert {each.root_id for each in thread} == {"a"}
    assert more == 0


def test_a_conversation_is_read_from_the_top_each_answer_under_its_question(store, do, dial, post):
    """Older answers first; what does not fit is counted."""
    for name in ("a", "b", "f", "e", "c", "d"):
        do(store.archive.add([post(name, parent_id=TREE[name], published_at=dial.turn(minutes=1))]))
    do(store.archive.add([post("z", parent_id="a", published_at=None)]))
    thread, more = do(store.archive.thread("board", "a", 50))
    assert [each.native_id for each in thread] == ["a", "b", "e", "c", "d", "f", "z"]
    thread, more = do(store.archive.thread("board", "a", 2))
    assert [each.native_id for each in thread] == ["a", "b"]
    assert more == 5
    assert do(store.archive.thread("forum", "a", 2)) == ([], 0)


def test_a_branch_that_is_moved_takes_its_answers_along(store, do, post):
    """A moderator splits a thread."""
    do(store.archive.add([post(name, parent_id=parent) for name, parent in TREE.items()]))
    do(store.archive.add([post("b", parent_id=None)]))
    assert {each.native_id for each in do(store.archive.thread("board", "b", 9))[0]} == {"b", "c", "d", "e"}
    assert {each.native_id for each in do(store.archive.thread("board", "a", 9))[0]} == {"a", "f"}


def test_a_root_that_the_source_gave_is_never_corrected(store, do, post):
    """It knows better than what can be followed from here."""
    do(store.archive.add([post("c", parent_id="b", root_id="top"), post("b", parent_id="a"), post("a")]))
    assert do(store.archive.get("board", "c")).root_id == "top"
    do(store.archive.add([post("d", parent_id="c")]))
    assert do(store.archive.get("board", "d")).root_id == "top"


@pytest.mark.parametrize("circle", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "c", "b": "a", "c": "b", "d": "b"}])
def test_posts_that_answer_each_other_in_a_circle_end(store, do, post, circle):
    """Broken or hostile exports have them; each post is shown once."""
    for _ in range(2):
        for name, parent in circle.items():
            do(store.archive.add([post(name, parent_id=parent, score=len(circle))]))
        do(store.archive.add([post(name, parent_id=parent, score=0) for name, parent in circle.items()]))
    roots = {do(store.archive.get("board", name)).root_id for name in circle}
    shown = [each.native_id for root in roots for each in do(store.archive.thread("board", root, 9))[0]]
    assert sorted(shown) == sorted(circle)


def test_a_thousand_answers_deep_is_no_deeper_than_one(store, do, post):
    """Neither filing nor reading climbs the stack."""
    chain = [post(str(number), parent_id=str(number - 1) if number else None) for number in range(3000)]
    do(store.archive.add(chain[::-1]))
    thread, more = do(store.archive.thread("board", "0", 5))
    assert [each.native_id for each in thread] == ["0", "1", "2", "3", "4"]
    assert more == 2995


def test_a_source_is_replaced_as_a_whole_and_stamped(store, do, dial, post):
    """The seed of the demo: either all of the new content is there, or all of the old."""
    do(store.archive.add([post("1", "forum")]))
    assert do(store.archive.stamp("board")) is None
    do(store.archive.replace("board", [post("1", title="apples"), post("2", title="pears")], "first", dial.now))
    again = do(store.archive.replace("board", [post("2", title="pears"), post("3")], "second", dial.turn(hours=1)))
    assert again == Added(new=1, same=1)
    assert found(store, do, having("apples")) == []
    assert do(store.archive.stamp("board")) == ("second", dial.now)
    assert do(store.archive.count("board")) == 2
    assert do(store.archive.count("forum")) == 1
    do(store.archive.replace("board", [], "empty", dial.now))
    assert do(store.archive.count("board")) == 0
    assert do(store.archive.stamp("board")) == ("empty", dial.now)


def test_a_stamp_goes_with_what_it_stood_for(store, do, dial):
    """A source forgotten is filled anew the next time."""
    do(store.archive.set_stamp("board", "first", dial.now))
    assert do(store.archive.stamp("board")) == ("first", dial.now)
    do(store.archive.forget("board"))
    assert do(store.archive.stamp("board")) is None
