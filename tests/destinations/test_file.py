"""The file destination writes each act once, whole or not at all."""

import asyncio
import json
import multiprocessing
import os
from pathlib import Path

import pytest

from signal_playbooks.destinations import file as file_module
from signal_playbooks.destinations.file import FileDestination
from signal_playbooks.destinations.protocol import Delivery, DeliveryFailed

HANDLE = "disp_01HZY0000000000000000000AA"


def _deliver(folder: Path, content: dict[str, object], handle: str = HANDLE) -> str:
    return asyncio.run(FileDestination("outbox", folder).deliver(Delivery(handle, content)))


def test_an_act_becomes_one_json_and_one_markdown_file(tmp_path: Path, content: dict[str, object]) -> None:
    """Programs read the one, people the other; JSON holds the whole text."""
    body = "long " * 5_000
    receipt = _deliver(
        tmp_path / "outbox", content | {"post": {"title": "t", "body": body, "author": None, "place": None}}
    )
    written = json.loads(Path(receipt).read_text("utf-8"))
    assert written["handle"] == HANDLE
    assert written["post"]["body"] == body
    assert sorted(path.name for path in (tmp_path / "outbox").iterdir()) == [f"{HANDLE}.json", f"{HANDLE}.md"]


def test_a_second_delivery_changes_nothing(tmp_path: Path, content: dict[str, object]) -> None:
    """Whoever edited the draft in place must not lose it to a repetition."""
    receipt = _deliver(tmp_path, content)
    Path(receipt).write_text("edited")
    assert _deliver(tmp_path, content | {"text": "other"}) == receipt
    assert Path(receipt).read_text() == "edited"


@pytest.mark.parametrize("handle", ["../escape", "disp_../x", "disp_a/b", "", "disp_", "disp_a\n", "sig_1", "disp_é"])
def test_a_name_that_is_no_handle_never_becomes_a_file(tmp_path: Path, content: dict[str, object], handle: str) -> None:
    """File names come from our own ids only."""
    with pytest.raises(DeliveryFailed):
        _deliver(tmp_path / "outbox", content, handle)
    assert list(tmp_path.rglob("*.json")) == []


def test_a_folder_that_cannot_be_made_is_a_refusal_that_says_so(tmp_path: Path, content: dict[str, object]) -> None:
    """A file stands where the folder should be: nothing is delivered, and the error says what to do."""
    (tmp_path / "outbox").write_text("in the way")
    with pytest.raises(DeliveryFailed) as refused:
        _deliver(tmp_path / "outbox", content)
    assert "Nothing was delivered to outbox" in refused.value.message
    assert refused.value.suggested_action


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, content: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second file meets a full disk: the first goes away again."""
    real, calls = os.fsync, []

    def full_at_the_second(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(file_module.os, "fsync", full_at_the_second)
    with pytest.raises(DeliveryFailed, match="no space left"):
        _deliver(tmp_path, content)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_delivery_is_completed_and_known(tmp_path: Path, content: dict[str, object]) -> None:
    """The process died between the two files; asked later, the destination knows, and completes it."""
    outbox = FileDestination("outbox", tmp_path)
    delivery = Delivery(HANDLE, content)
    assert asyncio.run(outbox.delivered(delivery)) is None
    receipt = asyncio.run(outbox.deliver(delivery))
    (tmp_path / f"{HANDLE}.md").unlink()
    assert asyncio.run(outbox.delivered(delivery)) == receipt
    assert (tmp_path / f"{HANDLE}.md").exists()


def test_a_file_system_without_hard_links_still_never_overwrites(
    tmp_path: Path, content: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network and phone file systems refuse links."""

    def no_links(source: object, target: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(file_module.os, "link", no_links)
    receipt = _deliver(tmp_path, content)
    first = Path(receipt).read_text("utf-8")
    _deliver(tmp_path, content | {"text": "other"})
    assert Path(receipt).read_text("utf-8") == first


def _race(folder: Path, content: dict[str, object], text: str) -> None:
    _deliver(folder, content | {"text": text})


def test_processes_that_deliver_one_act_at_once_write_it_once(tmp_path: Path, content: dict[str, object]) -> None:
    """The store lets one of them through; if it ever did not, the folder would still hold one of them, whole."""
    context = multiprocessing.get_context("spawn")
    racers = [context.Process(target=_race, args=(tmp_path, content, f"text {n}" * 2_000)) for n in range(3)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".md"]
    assert json.loads((tmp_path / f"{HANDLE}.json").read_text("utf-8"))["text"].startswith("text ")
