"""The names in a wish: told by their capitals, or, where nothing has one, because no list of words knows them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from signal_playbooks.content.vocabulary import Language, Lexis
from signal_playbooks.meaning.wish import Unit

_UNKNOWN_NAMES = 2  # more unknown lower-case words than this are a description, not names
_BEFORE_A_PLACE = frozenset({"on", "in", "from", "at", "via", "auf", "bei", "en", "sur", "dans", "no", "na", "em"})
_OR = frozenset({"or", "oder", "ou", "o", "または"})
_AND = frozenset({"and", "und", "et", "y", "e", "と", "和"})
_SHORT = 2  # words, whose capitals tell nothing about the others


@dataclass(frozen=True, slots=True)
class Name:
    """A name of one or more words; `listed`: an alternative to the one before (by `or`, or in a list with commas)."""

    run: tuple[Unit, ...]
    listed: bool = False


def find_names(rest: Sequence[Unit], wanted: Sequence[Unit], lexis: Lexis) -> list[Name]:
    """Return the names among `rest`, which are units of the wish `wanted`, in order."""
    found = [Name(tuple(run)) for run in _runs(rest, wanted, lexis) if _names_something(run, lexis)]
    if not found:
        unknown = [unit for unit in rest if unit.kind == "word" or _is_name_too(unit, lexis)]
        found = [Name((unit,)) for unit in unknown] if len(unknown) <= _UNKNOWN_NAMES else []
    return _listed(found, wanted)


def is_name_alone(unit: Unit, lexis: Lexis) -> bool:
    """Tell whether one word is a name by itself: CRM in Quillbase CRM is none."""
    return unit.kind != "ordinary" or _is_name_too(unit, lexis)


def _runs(rest: Sequence[Unit], wanted: Sequence[Unit], lexis: Lexis) -> list[list[Unit]]:
    """Return the runs of neighbouring units that look like names."""
    capitals_tell = _capitals_tell(wanted, lexis)
    free = {id(unit) for unit in rest}
    runs: list[list[Unit]] = []
    before: Unit | None = None
    for unit in wanted:
        if id(unit) in free and _looks_like_a_name(unit, before, capitals_tell, lexis):
            if runs and runs[-1][-1] is before and unit.after == "next" and not unit.opens:
                runs[-1].append(unit)
            else:
                runs.append([unit])
        before = unit
    return runs


def _listed(names: Sequence[Name], wanted: Sequence[Unit]) -> list[Name]:
    """Return the names with those marked that are alternatives: Plinthly or Tavorel; Plinthly, Tavorel and Ostrello."""
    places = {id(unit): place for place, unit in enumerate(wanted)}
    found: list[Name] = []
    end = 0
    for name in names:
        between = wanted[end : places[id(name.run[0])]]
        keys = {unit.key for unit in between}
        in_list = name.run[0].after == "comma" or any(unit.after == "comma" for unit in between)
        goes_on = bool(keys & _OR) or in_list or (bool(keys & _AND) and bool(found) and found[-1].listed)
        only_stops = all(unit.known is not None and unit.known.meaning == "stop" for unit in between)
        found.append(replace(name, listed=bool(found) and only_stops and goes_on))
        end = places[id(name.run[-1])] + 1
    return found


def _names_something(run: Sequence[Unit], lexis: Lexis) -> bool:
    """Tell whether a run is a name: not SSO or CRM alone, nor an ordinary word that begins the sentence."""
    return any(is_name_alone(unit, lexis) or (not unit.opens and unit.text != unit.text.upper()) for unit in run)


def _capitals_tell(wanted: Sequence[Unit], lexis: Lexis) -> bool:
    """Tell whether a capital means a name here: not where every word has one, nor in German, whose nouns all have."""
    telling = [unit for unit in wanted if unit.kind not in ("quoted", "number") and unit.key not in lexis.stop_words]
    if len(telling) > _SHORT and all(unit.capital for unit in telling):
        return False
    return _language(wanted, lexis) != "de"


def _language(wanted: Sequence[Unit], lexis: Lexis) -> Language:
    counts: dict[Language, int] = {}
    for unit in wanted:
        for code in lexis.stop_words.get(unit.key, ()):
            counts[code] = counts.get(code, 0) + 1
    return max(counts, key=lambda code: (counts[code], code == "en"), default="en")


def _looks_like_a_name(unit: Unit, before: Unit | None, capitals_tell: bool, lexis: Lexis) -> bool:
    if unit.kind == "name":
        return True
    if unit.known and unit.known.meaning == "place":
        return before is None or before.key not in _BEFORE_A_PLACE
    if unit.kind == "ordinary" and unit.capital:
        return _is_name_too(unit, lexis) or (
            capitals_tell and unit.key not in lexis.synonyms and (not unit.opens or unit.text == unit.text.upper())
        )
    return False


def _is_name_too(unit: Unit, lexis: Lexis) -> bool:
    return unit.key in lexis.names_too and (unit.capital or unit.key not in lexis.ordinary)
