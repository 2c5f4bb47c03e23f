"""One story in several places: the key by which they are known, and the list of places that is shown."""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import SplitResult, parse_qsl, quote, urlsplit

from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.signal import Engagement, Place
from signal_playbooks.post import Post

_DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# Fragments that readers, feeds and share buttons add to the address of a whole page.
_NOISE = re.compile(r"(comments?|respond|top|atom-|rss|xtor=|utm_|:~:|echobox)", re.IGNORECASE)
_PAGE_IN_FRAGMENT = ("!", "/")  # pages that a script shows have their name there


def story_key(post: Post, vocabulary: Vocabulary) -> str | None:
    """Return what is the same for every place of one story, None where the post has no web address at all.

    That is the canonical address of what the post is about. A post that is its own subject and one that points to
    nothing but a site's front page are stories of their own, known by their permanent link, in which a fragment may be
    all that tells one post of a page from the next. A comment is no story: two people answer one post.
    """
    if post.is_comment:
        return None
    tracking = tuple(vocabulary.tracking.split())
    if post.link:
        key = canonical_address(post.link, tracking)
        if key and any(sign in key for sign in "/?#"):
            return key
    fragment = own_fragment(post.url)
    key = canonical_address(post.url, tracking)
    return f"{key}#{fragment}" if key and fragment and not _NOISE.match(fragment) else key


def own_fragment(address: str) -> str:
    """Return what stands behind the `#` of an address, unless the canonical address keeps it anyway."""
    _, _, fragment = address.partition("#")
    return "" if fragment.startswith(_PAGE_IN_FRAGMENT) else fragment


def canonical_address(address: str, tracking: Sequence[str]) -> str | None:
    """Return the address as it is compared, without its scheme; None where it is no http(s) address.

    Dropped are `www.`, default ports, a name before `@`, trailing slashes, the fragment and `tracking` parameters (a
    name, or the beginning of one and `*`); the case of paths and of other parameters is kept.
    """
    try:
        parts = urlsplit(address.strip())
        host = _host(parts)
    except ValueError:
        return None
    if parts.scheme.lower() not in _DEFAULT_PORTS or not host:
        return None
    path = _plain_escapes(parts.path).rstrip("/")
    kept = sorted(pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _tracks(pair[0], tracking))
    query = "&".join(f"{quote(name, errors='replace')}={quote(value, errors='replace')}" for name, value in kept)
    page = f"#{parts.fragment}" if parts.fragment.startswith(_PAGE_IN_FRAGMENT) else ""
    return f"{host}{path}{'?' if query else ''}{query}{page}"


def merge_places(lead: Post, others: Iterable[Post]) -> list[Place]:
    """Return the other places of the lead's story, each address once, the most answered first."""
    places = {
        (post.source, post.url): Place(
            source=post.source, url=post.url, engagement=Engagement(score=post.score, comments=post.comments)
        )
        for post in others
        if post.url != lead.url
    }
    return sorted(places.values(), key=lambda place: (-_answers(place.engagement), place.source, place.url))


def _answers(engagement: Engagement) -> int:
    return (engagement.score or 0) + (engagement.comments or 0)


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    port = parts.port
    return host if port in (None, _DEFAULT_PORTS.get(parts.scheme.lower())) else f"{host}:{port}"


def _plain_escapes(path: str) -> str:
    """Return the path with escapes that need none decoded, and the others in capitals."""

    def plain(m: re.Match[str]) -> str:
        character = chr(int(m[0][1:], 16))
        return character if character in _UNRESERVED else m[0].upper()

    return _ESCAPE.sub(plain, path)


def _tracks(name: str, tracking: Sequence[str]) -> bool:
    folded = name.lower()
    return any(folded.startswith(one[:-1]) if one.endswith("*") else folded == one for one in tracking)
