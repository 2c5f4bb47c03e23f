"""The word somebody probably meant, for the "did you mean" at the end of a complaint."""

from collections.abc import Iterable

_LONGEST = 80
_PREFIX = 3


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like the word, None where none is close enough to be meant.

    Case, `-` and `_` do not count; letters swapped, missing, added or changed do, fewer in a short word; a word that
    begins just one candidate is taken for it, and so is one that a candidate begins.
    """
    known = sorted(set(candidates))
    wanted = _bare(word)
    if not wanted or len(word) > _LONGEST:
        return None
    same = [name for name in known if _bare(name) == wanted]
    if same:
        return same[0]
    ranked = sorted((_distance(wanted, _bare(name), _allowed(wanted, _bare(name))), name) for name in known)
    close = [(distance, name) for distance, name in ranked if distance <= _allowed(wanted, _bare(name))]
    if close:
        return close[0][1]
    begun = [name for name in known if len(wanted) >= _PREFIX and _bare(name).startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    contained = [name for name in known if len(_bare(name)) >= _PREFIX and wanted.startswith(_bare(name))]
    return max(contained, key=len, default=None)


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return "; did you mean 'x'?", or nothing where no candidate comes close."""
    guess = nearest(word, candidates)
    return f"; did you mean '{guess}'?" if guess else ""


def _bare(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter not in "-_ ")


def _allowed(wanted: str, name: str) -> int:
    """Return how many changes still let one word be meant by the other."""
    longer, shorter = max(len(wanted), len(name)), min(len(wanted), len(name))
    if longer <= 2:
        # `di` for `id` is a slip; `if` for `id` is another word.
        return 1 if sorted(wanted) == sorted(name) or shorter < longer else 0
    return 1 if longer <= 5 else 2 if longer <= 8 else 3


def _distance(one: str, other: str, bound: int) -> int:
    """Return the changes between two words, a swap of neighbours being one; more than `bound` is bound + 1.

    The optimal string alignment distance, https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance
    """
    if abs(len(one) - len(other)) > bound:
        return bound + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, against in enumerate(other, 1):
            cost = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != against))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == against:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        if min(line) > bound:
            return bound + 1
        before, last = last, line
    return last[-1]
