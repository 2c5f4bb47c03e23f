"""The words that go with a signal: its headline, its excerpt, why it was heard, and what a whole listen came to."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from signal_playbooks.contract.listen import Coverage
from signal_playbooks.contract.signal import Place, Signal
from signal_playbooks.contract.vocabulary import CoverageState, Freshness, Intent
from signal_playbooks.meaning.match import Match
from signal_playbooks.post import Post
from signal_playbooks.text import ELLIPSIS, cut, fold

LONGEST_REASON = 160  # characters
LONGEST_EXCERPT = 280
LONGEST_HEADLINE = 140
GUESS_BELOW = 0.6
_LONGEST_QUOTE = 40
_LONGEST_SUBJECT = 60
_NO_TEXT = "(no text)"
_FIRST_SENTENCE = re.compile(r"[.!?…](?=\s)|[。！？]")
_BETWEEN_QUOTES = re.compile('[^"“”„«»\n]*[^"“”„«»\\s][^"“”„«»\n]*')
_SPAN: dict[Freshness, str] = {
    "last_hour": " in the last hour",
    "today": " in the last 24 hours",
    "this_week": " in the last 7 days",
    "this_month": " in the last 30 days",
    "any": "",
}
# States in which a source was not heard in full, and how they are told; "skipped" was nobody's wish to hear.
_UNHEARD: dict[CoverageState, str] = {
    "partial": "only in part",
    "rate_limited": "rate limited",
    "needs_auth": "needs a credential",
    "blocked": "blocked",
    "unreachable": "unreachable",
    "timeout": "too slow",
    "changed": "its answers have changed shape",
    "error": "an error",
}


def headline(post: Post) -> str:
    """Return the title, or the first sentence of a post without one, in one line of at most 140 characters."""
    title = _line(post.title)
    if title:
        return cut(title, LONGEST_HEADLINE)
    body = _line(post.body[:2_000])
    end = _FIRST_SENTENCE.search(body)
    return cut(body[: end.end()] if end else body, LONGEST_HEADLINE) or _NO_TEXT


def excerpt(post: Post, match: Match, limit: int = LONGEST_EXCERPT) -> str:
    """Return at most `limit` characters of the body around what matched, in one line; of the title if need be."""
    if not post.body.strip():
        return cut(_line(post.title), limit)
    found = next((term for term in match.terms if not term.in_title), None)
    around = (found.start, found.end) if found else (0, 0)
    return _line(cut(post.body, limit, around=around))


def match_reason(
    post: Post,
    match: Match,
    *,
    intent: Intent,
    confidence: float,
    words: Sequence[str] = (),
    places: Sequence[Place] = (),
) -> str:
    """Return one sentence of at most 160 characters: what matched and where, what made the intent, what was merged.

    `words` are the words behind the intent. Whatever stands in quotation marks stands in the post, letter for letter.
    """
    sentence = _matched(match)
    for part in (_intended(post, intent, confidence, words), *_merged(places)):
        if len(sentence) + len(part) + 3 <= LONGEST_REASON:
            sentence = f"{sentence}; {part}"
    return f"{sentence}."


def summary(
    query: str,
    freshness: Freshness,
    signals: Sequence[Signal],
    more: int,
    coverage: Sequence[Coverage],
) -> str:
    """Return two sentences: what was heard, and what could not be. A source that failed is never told as silence."""
    return f"{_heard(query, freshness, signals, more)} {_unheard(coverage, bool(signals))}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _quoted(texts: Iterable[str]) -> list[str]:
    """Return the words in quotation marks, each once and cut so that they still stand in the post as they are."""
    found: dict[str, str] = {}
    for text in texts:
        words = _BETWEEN_QUOTES.search(text)
        line = words[0].strip() if words else ""
        short = cut(line, _LONGEST_QUOTE).removesuffix(ELLIPSIS) if len(line) > _LONGEST_QUOTE else line
        if any(map(str.isalnum, short)):
            found.setdefault(fold(short), f"“{short}”")
    return list(found.values())


def _matched(match: Match) -> str:
    """Return where the query's words stand, as many as fit into half the sentence."""
    told = [term for term in match.terms if term.role != "hint"]
    title = _quoted(term.text for term in told if term.in_title)
    body = _quoted(term.text for term in told if not term.in_title)
    seen = {fold(quote) for quote in title[:2]}
    parts = [f"{_joined(title[:2])} in the title"] if title else []
    rest = [quote for quote in body if fold(quote) not in seen][:2]
    if rest:
        parts.append(f"{_joined(rest)} in the {'text' if title else 'body'}")
    whole = ", ".join(parts)
    return whole if len(whole) <= LONGEST_REASON // 2 + 20 else parts[0]


def _joined(quotes: Sequence[str]) -> str:
    return " and ".join(quotes)


def _intended(post: Post, intent: Intent, confidence: float, words: Sequence[str]) -> str:
    behind = _quoted(word for word in words if word in post.text)[:2]
    if confidence < GUESS_BELOW:
        return f"{intent} is a guess" + (f" from {_joined(behind)}" if behind else "")
    if not behind:
        return f"the whole reads as {intent}"
    return f"{_joined(behind)} {'reads' if len(behind) == 1 else 'read'} as {intent}"


def _merged(places: Sequence[Place]) -> Iterator[str]:
    if places:
        names = list(dict.fromkeys(place.source for place in places))
        yield f"also on {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _heard(query: str, freshness: Freshness, signals: Sequence[Signal], more: int) -> str:
    subject = f"“{cut(_line(query), _LONGEST_SUBJECT)}”"
    span = _SPAN[freshness]
    if not signals:
        return f"Nothing that matches {subject} was found{span} where it could be heard."
    total = len(signals) + more
    sources = len({signal.source for signal in signals})
    intent, count = Counter(signal.intent for signal in signals).most_common(1)[0]
    noun = "signal" if total == 1 else "signals"
    shown = f", of which {len(signals)} are shown" if more else ""
    mostly = f", mostly {intent}" if count * 2 > len(signals) > 1 else f", {intent}" if len(signals) == 1 else ""
    return f"{total} {noun} for {subject}{span}{shown}, from {sources} {_sources(sources)}{mostly}."


def _sources(count: int) -> str:
    return "source" if count == 1 else "sources"


def _unheard(coverage: Sequence[Coverage], found: bool) -> str:
    asked = [line for line in coverage if line.state != "skipped"]
    missing = [line for line in asked if line.state in _UNHEARD]
    if missing:
        told = ", ".join(f"{line.source} ({_UNHEARD[line.state]})" for line in missing[:5])
        others = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        return f"Not heard in full: {told}{others}; what stands there is not known."
    if not asked:
        return "No source was asked."
    all_of_them = "The one source answered" if len(asked) == 1 else f"All {len(asked)} sources answered"
    return f"{all_of_them}." if found else f"{all_of_them}: other words or a longer freshness may find more."
