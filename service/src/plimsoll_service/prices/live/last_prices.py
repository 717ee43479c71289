"""The last good prices in a file: what a worker starts from while Redis is away."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import structlog

from plimsoll_service.prices.snapshots import codec, pointer
from plimsoll_service.prices.snapshots.pointer import Pointer

FILE = "prices"
MOST_POINTER_BYTES = 4096  # some hundred bytes of JSON; more is no pointer


class LastPrices:
    """One snapshot with its pointer in a directory, which every worker reads and any writes in one step."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE
        self._silent = False

    def read(self) -> tuple[Pointer, bytes] | None:
        """The pointer and the snapshot's bytes; ``None`` where there are none that are whole."""
        try:
            with self._path.open("rb") as file:
                found, content = pointer.load(file.readline(MOST_POINTER_BYTES)), file.read()
        except OSError:
            return None
        return (found, content) if found is not None and codec.digest(content) == found.digest else None

    def write(self, new: Pointer, content: bytes) -> None:
        """Keep a snapshot unless the one that is kept is as new; a directory that takes none is logged once."""
        try:
            if self._newest() < new.sequence:
                self._replace(pointer.dump(new) + b"\n" + content)
        except OSError as error:
            if not self._silent:
                self._silent = True
                structlog.get_logger(__name__).warning("last_prices_not_kept", error=error.strerror or str(error))

    def _newest(self) -> int:
        kept = self.read()
        return -1 if kept is None else kept[0].sequence

    def _replace(self, content: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self._path.parent, prefix=f".{FILE}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, self._path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
