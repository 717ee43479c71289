"""Your own measurements, as ``workload.measurements`` takes them, from files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plimsoll._json import encode
from plimsoll.errors import UnreadableFile

Measurement = dict[str, Any]

# A file holds measurements under one of these, or a measurement itself, which has at least this member.
_HOLDERS = ("measurement", "measurements")
_HARDWARE = "on"


def load_measurements(path: str | Path) -> list[Measurement]:
    """Return the measurements of a JSON file: one, a list, or what ``plimsoll.measure`` saved.

    Raises ``UnreadableFile``, which names the file.
    """
    try:
        document = loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path}: is not JSON: {error}") from error
    return measurements_of(document, str(path))


def measurements_of(document: Any, place: str) -> list[Measurement]:
    """Return the measurements of a document; ``place`` names it in errors."""
    if isinstance(document, Mapping):
        held = next((document[name] for name in _HOLDERS if name in document), None)
        if held is not None:
            return measurements_of(held, place)
        if _HARDWARE in document:
            return [dict(document)]
    if isinstance(document, list):
        return [one for part in document for one in measurements_of(part, place)]
    raise UnreadableFile(
        f"{place}: holds no measurement: an object with 'on' expected, a list of them, or one under 'measurement' or "
        "'measurements'; `plimsoll measurement FILE` reads the results of other tools"
    )


def loads(text: str) -> Any:
    """Return the value of a JSON text; raises ``ValueError``, which names the place of a number that is not finite."""
    return encode(json.loads(text))
