"""Addresses that a post and its conversation mention, as written."""

import re
from collections.abc import Iterable, Iterator

from signal_playbooks.contract.inspect import Link
from signal_playbooks.post import Post

MOST_LINKS = 300
_LONGEST = 2_000
_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"'`“”«»\\^{}|]{3,2001}", re.IGNORECASE)
_LOOSE_END = ".,;:!?…*_~"
_PAIRS = {")": "(", "]": "["}


def links(post: Post, others: Iterable[Post]) -> list[Link]:
    """Return each address once: those of the post itself first, then those of the rest of its thread; at most 300."""
    found: dict[str, Link] = {}
    for url in _of(post):
        found.setdefault(url, Link(url=url, where="post"))
    for other in others:
        for url in _of(other):
            found.setdefault(url, Link(url=url, where="thread"))
    return list(found.values())[:MOST_LINKS]


def _of(post: Post) -> Iterator[str]:
    if post.link:
        yield post.link
    for match in _ADDRESS.finditer(post.text):
        url = _trimmed(match[0])
        if len(url) <= _LONGEST:
            yield url


def _trimmed(url: str) -> str:
    """Return an address without the punctuation of the sentence around it; brackets stay where they are paired."""
    unpaired = {close: url.count(close) - url.count(opened) for close, opened in _PAIRS.items()}
    end = len(url)
    while end and (url[end - 1] in _LOOSE_END or unpaired.get(url[end - 1], 0) > 0):
        end -= 1
        if url[end] in unpaired:
            unpaired[url[end]] -= 1
    return url[:end]
