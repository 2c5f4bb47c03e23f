"""An act as a Markdown page in which untrusted text stays text: no link, heading, code, image, HTML or mention."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from signal_playbooks.text import visible

# What can begin markup anywhere in a line; `@` becomes a character reference, so that no platform sees a mention.
_ANYWHERE = re.compile(r"[\\`*_\[\]<>&~|$^]")
_LINE_START = re.compile(r"(?:[-+=#:>]|[0-9]+[.)])")
_ADDRESS = re.compile(r"(?i)(:)//|\b(www)\.(?=\S)|\b(mailto|xmpp|javascript|data):(?=\S)")


def escape(text: str) -> str:
    """Return one line of untrusted text such that Markdown shows it as it is; line breaks become blanks.

    Characters that hide or reorder text are left out.
    """
    line = " ".join(visible(text).split())
    line = _ANYWHERE.sub(lambda m: f"\\{m[0]}", line)
    line = _ADDRESS.sub(lambda m: ":\\//" if m[1] else f"{m[2]}\\." if m[2] else f"{m[3]}\\:", line)
    line = line.replace("@", "&#64;").replace("!\\[", "\\!\\[")
    if start := _LINE_START.match(line):
        line = f"{line[: start.end() - 1]}\\{line[start.end() - 1 :]}"
    return line.replace(" #", " \\#")


def quote(text: str) -> str:
    """Return untrusted text of several lines as a block quote, each line escaped and kept as a line."""
    lines = text.splitlines() or [""]
    return "\n".join(f"> {escape(line)}  ".rstrip() if not line.strip() else f"> {escape(line)}  " for line in lines)


def page(handle: str, content: Mapping[str, Any]) -> str:
    """Return the whole Markdown page of an act."""
    return "\n\n".join(part for part in _parts(handle, content) if part) + "\n"


def _parts(handle: str, content: Mapping[str, Any]) -> Iterator[str]:
    signal, post = content["signal"], content["post"]
    yield f"# {escape(content['title'])}"
    yield _facts(handle, content)
    if content.get("text"):
        yield "## Draft\n\n" + quote(content["text"])
    if content.get("note"):
        yield "## Note\n\n" + quote(content["note"])
    yield "## Post\n\n" + _about(signal, post)
    if post["title"]:
        yield f"**{escape(post['title'])}**"
    if post["body"]:
        yield quote(post["body"])


def _about(signal: Mapping[str, Any], post: Mapping[str, Any]) -> str:
    by = f" by {escape(post['author'])}" if post["author"] else ""
    where = f" in {escape(post['place'])}" if post["place"] else ""
    when = f", {escape(signal['captured_at'])}" if signal["captured_at"] else ""
    lines = [f"{escape(signal['source'])}{where}{by}{when}", f"`{_in_code(signal['url'])}`"]
    lines += [
        f"{escape(signal['intent'])}, {round(signal['intent_confidence'] * 100)}%: {escape(signal['match_reason'])}"
    ]
    return "\n".join(f"- {line}" for line in lines)


def _facts(handle: str, content: Mapping[str, Any]) -> str:
    lines = [
        f"- act: {escape(handle)} ({escape(content['action'])})",
        f"- signal: {escape(content['signal']['id'])}",
        f"- staged by: {escape(content['staged_by'])}, {escape(content['staged_at'])}",
    ]
    return "\n".join(lines)


def _in_code(address: str) -> str:
    # Inside a code span nothing is markup but the backtick; addresses hold none once checked, and none may slip in.
    return re.sub(r"[`\s]", "", visible(address))
