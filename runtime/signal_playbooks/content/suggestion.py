"""The word an author probably meant, for the "did you mean" at the end of a complaint."""

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 64
_SHORTEST = 3


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like the word, or None where nothing comes close."""
    known = sorted(candidates)
    if not word or len(word) > _LONGEST:
        return None
    folded = {candidate.casefold(): candidate for candidate in reversed(known)}
    found = get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.6)
    if found:
        return folded[found[0]]
    begun = [name for name in folded if len(word) >= _SHORTEST and name.startswith(word.casefold())]
    return folded[begun[-1]] if begun else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return "; did you mean 'x'?", or nothing where no candidate comes close."""
    guess = nearest(word, candidates)
    return f"; did you mean '{guess}'?" if guess else ""
