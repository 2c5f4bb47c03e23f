"""A folder of files as a destination: one file for each act and format, whole or not at all, never overwritten."""

import asyncio
import errno
import json
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from signal_playbooks.content.destination import DestinationEntry
from signal_playbooks.destinations.markdown import page
from signal_playbooks.destinations.protocol import Delivery, DeliveryFailed

_HANDLE = re.compile(r"disp_[0-9A-Za-z]{1,40}")
_ENDINGS = {"json": ".json", "markdown": ".md"}


class FileDestination:
    """Writes `<handle>.json` and `<handle>.md` into one folder, which it makes when first needed."""

    def __init__(self, destination_id: str, folder: Path, formats: Sequence[str] = ("json", "markdown")) -> None:
        self._id = destination_id
        self._folder = folder
        self._formats = tuple(dict.fromkeys(formats))

    @property
    def id(self) -> str:
        """Return its catalog id."""
        return self._id

    async def deliver(self, delivery: Delivery) -> str:
        """Write the act's files and return the path of the first; files that are there are left as they are.

        Raises DeliveryFailed where the folder cannot be written, with nothing half-written left behind.
        """
        return await asyncio.to_thread(self._deliver, delivery)

    async def delivered(self, delivery: Delivery) -> str | None:
        """Return the receipt where an earlier attempt wrote a file, having written what it had not; else None."""
        if not any(path.exists() for path in self._paths(delivery.handle)):
            return None
        return await self.deliver(delivery)

    def _paths(self, handle: str) -> list[Path]:
        if not _HANDLE.fullmatch(handle):
            raise DeliveryFailed(f"{handle[:40]!a} is no handle of an act, so no file is named after it.")
        return [self._folder / f"{handle}{_ENDINGS[kind]}" for kind in self._formats]

    def _deliver(self, delivery: Delivery) -> str:
        paths = self._paths(delivery.handle)
        texts = [_composed(kind, delivery) for kind in self._formats]
        written: list[Path] = []
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path, text in zip(paths, texts, strict=True):
                if _write_new(path, text):
                    written.append(path)
            _sync_folder(self._folder)
        except OSError as error:
            _remove(written)
            raise self._failed(error) from error
        return str(paths[0])

    def _failed(self, error: OSError) -> DeliveryFailed:
        reason = (error.strerror or type(error).__name__).lower()
        return DeliveryFailed(
            f"Nothing was delivered to {self._id}: its folder cannot be written ({reason}).",
            f"Make the folder {self._folder.name} writable or free some space, then stage the act again and commit it.",
            destination=self._id,
        )


def build_file_destination(entry: DestinationEntry, data: Path) -> FileDestination:
    """Return the destination that an entry of kind file declares, its folder inside the data folder."""
    options = entry.options
    return FileDestination(entry.id, data / options.folder, options.formats)


def _composed(kind: str, delivery: Delivery) -> str:
    if kind == "markdown":
        return page(delivery.handle, delivery.content)
    whole = {"handle": delivery.handle, **delivery.content}
    return json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _write_new(path: Path, text: str) -> bool:
    """Write a file whole, or not at all; False where one of that name is there already, which stays as it is."""
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        return _publish(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _publish(temporary: Path, path: Path) -> bool:
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # A file system without hard links: the name is claimed first, so that two writers never both hold it.
        return _claim(temporary, path)
    return True


def _claim(temporary: Path, path: Path) -> bool:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    temporary.replace(path)
    return True


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(paths: Sequence[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
