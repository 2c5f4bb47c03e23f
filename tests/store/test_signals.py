"""Signals: one for each story, the same id for ever, and nothing left of what was deleted."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from signal_playbooks.errors import UnknownSignal
from signal_playbooks.post import Post


def test_a_post_heard_again_keeps_its_signal_and_its_first_moment(store, do, dial, post):
    """Whoever follows a signal by its id must find it tomorrow."""
    [first] = do(store.signals.remember([(post(), None)]))
    began = dial.now
    dial.turn(hours=5)
    [again] = do(store.signals.remember([(post(score=9), None)]))
    assert first.new
    assert not again.new
    assert (again.signal_id, again.first_seen_at, again.lead) == (first.signal_id, began, ("board", "1"))
    assert first.signal_id.startswith("sig_")


def test_one_story_in_three_places_is_one_signal(store, do, post):
    """The same article through an aggregator, another, and a feed."""
    places = [(post("1", "board"), "story"), (post("7", "forum"), "story"), (post("x", "feed"), "story")]
    heard = do(store.signals.remember(places))
    assert len({each.signal_id for each in heard}) == 1
    assert [each.new for each in heard] == [True, False, False]
    assert {each.lead for each in heard} == {("board", "1")}


def test_a_place_heard_tomorrow_joins_the_story_of_today(store, do, post):
    """Feeds are slower than people."""
    [today] = do(store.signals.remember([(post(), "story")]))
    [tomorrow] = do(store.signals.remember([(post("7", "forum"), "story")]))
    assert tomorrow.signal_id == today.signal_id
    assert not tomorrow.new


def test_a_known_post_keeps_its_signal_when_its_story_turns_out_to_be_another_s(store, do, post):
    """An id that was given out is never taken back."""
    [one] = do(store.signals.remember([(post("1"), "story")]))
    [other] = do(store.signals.remember([(post("2"), None)]))
    [again] = do(store.signals.remember([(post("2"), "story")]))
    assert again.signal_id == other.signal_id != one.signal_id


def test_the_same_number_at_two_sources_is_two_posts(store, do, post):
    """Native ids are unique within a source only."""
    one, other = do(store.signals.remember([(post("1", "board"), None), (post("1", "forum"), None)]))
    assert one.signal_id != other.signal_id


def test_what_is_remembered_is_the_newest_answer_in_full(store, do, dial, post, shaped):
    """Scores move; the leading post stays the first one heard."""
    heard = do(store.signals.remember([(post(score=1), "s"), (post("7", "forum", body="b" * 9000), "s")]))
    signal_id = heard[0].signal_id
    do(store.signals.save([shaped(signal_id), shaped(signal_id, headline="Later")]))
    dial.turn(minutes=3)
    do(store.signals.remember([(post(score=5, comments=2), "s")]))
    found = do(store.signals.get(signal_id))
    assert found.signal.headline == "Later"
    assert found.post == post(score=5, comments=2)
    assert found.posts == (post(score=5, comments=2), post("7", "forum", body="b" * 9000))
    assert (found.gone, found.archived, found.labels, found.checked_at) == (False, False, (), dial.now)
    assert do(store.signals.many([signal_id, "sig_none"])) == {signal_id: found}


def test_many_answers_in_the_order_asked(store, do, post, shaped):
    """A ranking must survive being looked up; more ids than one statement takes are no trouble."""
    heard = do(store.signals.remember([(post(str(n)), None) for n in range(1200)]))
    ids = [each.signal_id for each in heard]
    do(store.signals.save([shaped(signal_id) for signal_id in ids]))
    assert list(do(store.signals.many(reversed(ids)))) == ids[::-1]


def test_a_signal_never_shaped_is_not_shown(store, do, post):
    """Half a signal would break whoever reads it."""
    [heard] = do(store.signals.remember([(post(), None)]))
    assert do(store.signals.get(heard.signal_id)) is None


def test_an_unknown_id_is_refused_by_every_act_on_it(store, do, dial, shaped):
    """A slip in an id must not look like success."""
    for attempt in (
        lambda: store.signals.save([shaped("sig_none")]),
        lambda: store.signals.mark("sig_none", add_label="x"),
        lambda: store.signals.mark_gone("sig_none"),
        lambda: store.signals.checked("sig_none", dial.now),
    ):
        with pytest.raises(UnknownSignal, match="sig_none"):
            do(attempt())


def test_archiving_and_labels_are_kept_and_taken_back(store, do, post, shaped):
    """A label twice is one label."""
    heard = do(store.signals.remember([(post("1"), None), (post("2"), None)]))
    one, other = (each.signal_id for each in heard)
    do(store.signals.save([shaped(one)]))
    do(store.signals.mark(one, archived=True, add_label="hot"))
    do(store.signals.mark(one, add_label="hot"))
    do(store.signals.mark(one, add_label="later"))
    assert do(store.signals.archived([one, other, "sig_none"])) == {one}
    assert do(store.signals.get(one)).labels == ("hot", "later")
    do(store.signals.mark(one, archived=False))
    assert do(store.signals.archived([one])) == set()


def test_a_deleted_post_leaves_no_text_behind(file, store, do, dial, post, shaped):
    """Its author took it back; so do we, in every place it was copied to."""
    secret = "a sentence I regret"
    mine = post(body=secret, title=secret, author="mira")
    [heard] = do(store.signals.remember([(mine, None)]))
    do(
        store.signals.save(
            [shaped(heard.signal_id, headline=secret, excerpt=secret, match_reason=f"It says {secret}.")]
        )
    )
    do(store.signals.keep_thread(heard.signal_id, [mine, post("2", body=secret)], 0, dial.now))
    do(store.signals.keep_author("board", "mira", [mine, post("9", author="mira")], dial.now))
    dial.turn(hours=1)
    do(store.signals.mark_gone(heard.signal_id))
    found = do(store.signals.get(heard.signal_id))
    assert found.gone
    assert found.checked_at == dial.now
    assert secret not in repr(found)
    assert do(store.signals.thread(heard.signal_id)) is None
    assert [each.native_id for each in do(store.signals.author("board", "mira"))[0]] == ["9"]


def test_a_post_that_is_heard_again_is_there_again(store, do, post, shaped):
    """Some places restore what a moderator removed."""
    [heard] = do(store.signals.remember([(post(), None)]))
    do(store.signals.save([shaped(heard.signal_id)]))
    do(store.signals.mark_gone(heard.signal_id))
    do(store.signals.remember([(post(body="back"), None)]))
    found = do(store.signals.get(heard.signal_id))
    assert not found.gone
    assert found.post.body == "back"


def test_a_conversation_and_a_history_are_kept_as_read(store, do, dial, post):
    """The next inspection may find the source silent."""
    replies = [post("2", parent_id="1", root_id="1", author=None, published_at=None), post("3", body="x" * 50_000)]
    do(store.signals.keep_thread("sig_1", [post(), *replies], 12, dial.now))
    do(store.signals.keep_thread("sig_1", replies, 1500, dial.now))
    do(store.signals.keep_author("board", "mira", replies, dial.now))
    assert do(store.signals.thread("sig_1")) == (tuple(replies), 1500, dial.now)
    assert do(store.signals.author("board", "mira")) == (tuple(replies), dial.now)
    assert do(store.signals.thread("sig_2")) is None
    assert do(store.signals.author("forum", "mira")) is None


def test_a_signal_is_found_by_its_address(store, do, post):
    """People paste links, not ids."""
    [heard] = do(store.signals.remember([(post(), None)]))
    assert do(store.signals.at_url("https://board.example/1")) == heard.signal_id
    assert do(store.signals.at_url("https://board.example/2")) is None


def test_when_it_was_checked_is_kept_to_the_microsecond_and_in_utc(store, do, dial, post, shaped):
    """Times from elsewhere are the same moments here."""
    [heard] = do(store.signals.remember([(post(), None)]))
    do(store.signals.save([shaped(heard.signal_id)]))
    moment = dial.turn(microseconds=1)
    do(store.signals.checked(heard.signal_id, moment))
    found = do(store.signals.get(heard.signal_id)).checked_at
    assert found == moment
    assert found.utcoffset() == timedelta(0)


ANY_TEXT = st.text(st.characters(), max_size=30)
WHOLE = st.none() | st.integers(-(2**70), 2**70)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.builds(
            Post,
            source=ANY_TEXT,
            native_id=ANY_TEXT,
            url=ANY_TEXT,
            title=ANY_TEXT,
            body=ANY_TEXT,
            author=st.none() | ANY_TEXT,
            score=WHOLE,
            place=st.none() | ANY_TEXT,
        ),
        max_size=8,
    ),
    st.none() | ANY_TEXT,
)
def test_no_post_of_a_stranger_fails_the_batch_it_came_in(store, do, posts, key):
    """Lone surrogates, NULs and numbers beyond 64 bits come from real places."""
    first = do(store.signals.remember([(each, key) for each in posts]))
    again = do(store.signals.remember([(each, key) for each in posts]))
    assert [each.signal_id for each in first] == [each.signal_id for each in again]
    added = do(store.archive.add(posts))
    assert added.new + added.changed + added.same == len(posts)
