"""A query as the full-text index is asked it: tokens of our own making in quotes, nothing from outside is syntax."""

from collections.abc import Iterable

from signal_playbooks.query import Query, Term
from signal_playbooks.text import index_phrase, is_unspaced


def wanted(query: Query, source_id: int) -> str | None:
    """Return the expression for the posts of one source that fit, None where no word says what is wanted.

    Every group of `must` has to be met; without any, one of `any`. Beside `must`, `any` changes nothing but the rank.
    A word without a letter or digit cannot be asked of the index; it is left to whoever matches the posts.
    """
    groups = [group for terms in query.must if (group := _any_of(terms))]
    preferred = _any_of(query.any)
    if preferred:
        # Said as a choice beside the first group, which has to be met anyway: seen by the rank alone.
        groups.append(f"({groups[0]} OR {preferred})" if groups else preferred)
    if not groups:
        return None
    expression = " AND ".join([f"source : s{source_id}", *groups])
    excluded = unwanted(query)
    return f"({expression}) NOT {excluded}" if excluded else expression


def unwanted(query: Query) -> str | None:
    """Return the expression for the posts that have a word they must not have, None where there is no such word."""
    return _any_of(query.without)


def _any_of(terms: Iterable[Term]) -> str | None:
    phrases = list(dict.fromkeys(phrase for term in terms if (phrase := _phrase(term))))
    return f"({{title body}} : ({' OR '.join(phrases)}))" if phrases else None


def _phrase(term: Term) -> str | None:
    tokens = index_phrase(term.text)
    if not tokens:
        return None
    # Text without blanks is indexed in pairs: one character alone is the beginning of a pair.
    begins = term.prefix or (len(tokens[-1]) == 1 and is_unspaced(tokens[-1]))
    return f'"{" ".join(tokens)}"' + (" *" if begins else "")
