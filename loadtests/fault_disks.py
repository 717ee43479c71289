"""Directories on small disks of their own that can be filled and made read-only; this needs root."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

DISK_BYTES = 8 * 1024 * 1024  # the last prices take some hundred kilobytes, the metrics of a worker up to one each
BALLAST = "ballast"
PIECE = b"\0" * 4096


def can_mount() -> bool:
    """Whether this process may mount disks."""
    if os.geteuid() != 0:
        return False
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


@contextmanager
def disk(folder: Path) -> Iterator[Path]:
    """A directory on a disk in memory."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """Fill the disk to the last byte."""
    ballast = folder / BALLAST
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(PIECE)
    try:
        yield
    finally:
        ballast.unlink()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make the disk read-only for files that are opened later; open files stay writable."""
    subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
