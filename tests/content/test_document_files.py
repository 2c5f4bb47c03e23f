"""Files as documents: whatever cannot be read is one problem, and never a traceback."""

import os
from pathlib import Path

from signal_playbooks.content.document import MAX_BYTES, read_document, read_text


def test_a_file_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    """A directory, a missing file, a broken encoding: said in a sentence, never a traceback."""
    (tmp_path / "latin.yaml").write_bytes("a: 1\nb: é\n".encode("latin-1"))
    (tmp_path / "nul.yaml").write_bytes(b"a: 1\nb\0c: 2\n")
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    with (tmp_path / "large.yaml").open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    said = {}
    for name in ("", "none.yaml", "latin.yaml", "nul.yaml", "loop.yaml", "large.yaml", "a\0b"):
        document = read_document(tmp_path / name, "shown")
        assert document.root is None
        (problem,) = document.problems
        said[name] = (problem.rule, problem.span.line, problem.span.column)
    assert said.pop("latin.yaml") == ("unreadable", 2, 4)
    assert said.pop("nul.yaml") == ("unreadable", 2, 2)
    assert set(said.values()) == {("unreadable", 1, 1)}


def test_a_file_keeps_its_text_without_the_byte_order_mark(tmp_path: Path) -> None:
    """Front matter and examples are read from the same text."""
    (tmp_path / "a.yaml").write_bytes("\ufeffa: é\r\n".encode())
    assert read_text(tmp_path / "a.yaml", "a") == ("a: é\r\n", None)
    assert read_document(tmp_path / "a.yaml", "a").text == "a: é\r\n"


def test_a_named_pipe_is_refused_before_it_can_block(tmp_path: Path) -> None:
    """Opening one waits for a writer who never comes."""
    os.mkfifo(tmp_path / "pipe.yaml")
    assert read_document(tmp_path / "pipe.yaml", "p").problems[0].message == "this is no regular file"
