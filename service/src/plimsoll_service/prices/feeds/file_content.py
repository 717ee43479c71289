"""The bytes of a price file: from an address or a path, unpacked, as text."""

from __future__ import annotations

import gzip
import tempfile
import zlib
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import httpx

from plimsoll_service.prices.feeds.feed import FeedError
from plimsoll_service.prices.feeds.http import client, download

WEB = ("http://", "https://")
GZIP = b"\x1f\x8b"
LARGEST_BYTES = 1 << 28  # some ten times a file with every offer of the bundled catalog


def name_of(address: str) -> str:
    """The file's own name: what may be shown, for an address can carry a password or a key."""
    if not _is_web(address):
        return Path(address).name
    try:
        parts = urlsplit(address)
        return Path(parts.path).name or str(parts.hostname)
    except ValueError as error:
        raise FeedError(f"--url is no address: {error}") from error


def text_of(address: str) -> str:
    """The file's text; raises ``FeedError`` where it cannot be had whole."""
    name = name_of(address)
    try:
        content = _downloaded(address) if _is_web(address) else _read(Path(address))
        if len(content) > LARGEST_BYTES:
            raise FeedError(f"{name}: is larger than {LARGEST_BYTES >> 20} MiB")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FeedError(f"{name}: is not UTF-8 text: {error.reason} at byte {error.start}") from error
    except (EOFError, OSError, zlib.error, httpx.InvalidURL) as error:
        raise FeedError(f"{name}: cannot be read: {_reason(error)}") from error


def _is_web(address: str) -> bool:
    return address.lower().startswith(WEB)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return _unpacked(file)


def _downloaded(address: str) -> bytes:
    with tempfile.TemporaryFile() as file, client() as http:
        download(http, address, file)
        return _unpacked(file)


def _unpacked(file: IO[bytes]) -> bytes:
    """All of the file, or just more than is allowed."""
    packed = file.read(len(GZIP)) == GZIP
    file.seek(0)
    if not packed:
        return file.read(LARGEST_BYTES + 1)
    with gzip.GzipFile(fileobj=file) as unpacked:
        return unpacked.read(LARGEST_BYTES + 1)


def _reason(error: Exception) -> str:
    """Why, without the address, which is named already."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
