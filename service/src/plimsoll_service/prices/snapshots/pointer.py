"""Which price snapshot is in force: a few words that name it, small enough to be asked for every second."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import orjson


@dataclass(frozen=True, slots=True)
class Pointer:
    """A published snapshot; a later one has a higher ``sequence``, also where Redis lost everything in between."""

    sequence: int
    digest: str  # of the snapshot's bytes
    published_at: str  # UTC, ISO 8601
    as_of: str  # the date or moment of its newest price; empty where none is dated
    offers: int
    bytes: int  # of the snapshot as stored


def dump(pointer: Pointer) -> bytes:
    """The pointer as JSON."""
    return orjson.dumps(asdict(pointer))


def load(value: object) -> Pointer | None:
    """The pointer that was written, or ``None`` where the bytes are anything else."""
    if not isinstance(value, bytes):
        return None
    try:
        document = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    match document:
        case {
            "sequence": int(),
            "digest": str(),
            "published_at": str(),
            "as_of": str(),
            "offers": int(),
            "bytes": int(),
        } if len(document) == len(fields(Pointer)):
            return Pointer(**document)
        case _:
            return None
