"""Characters that no YAML file may hold, found before the reader meets them."""

import re

from signal_playbooks.content.lines import Lines
from signal_playbooks.problem import Problem

# https://yaml.org/spec/1.2.2/#51-character-set; without lone surrogates, which a Python text may hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Half a pair as an escape: libyaml refuses it, PyYAML's own reader, which stands in for it, would let it through.
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\U0000[dD][89a-fA-F][0-9a-fA-F]{2}")


def forbidden_character(lines: Lines, *, escapes: bool) -> Problem | None:
    """Return a problem at the first forbidden character, or with `escapes` at the first escape of a lone surrogate."""
    match = _FORBIDDEN.search(lines.text)
    if match is None and escapes:
        match = _SURROGATE_ESCAPE.search(lines.text)
    if match is None:
        return None
    code = ord(match[0]) if len(match[0]) == 1 else int(match[0][2:], 16)
    name = "a lone surrogate" if 0xD800 <= code <= 0xDFFF else "a control character"
    return Problem(
        lines.span(match.start(), match.end()),
        "yaml-character",
        f"{name} (U+{code:04X}) stands here, which no YAML file may hold",
        hint='remove it, or write a control character as an escape in double quotes, such as "\\x07"',
    )
