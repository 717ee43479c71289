"""Answers as JSON: the same value is always the same bytes, and a number that is not known is null."""

from __future__ import annotations

from typing import Any

import orjson


def encode(value: Any) -> bytes:
    """The JSON of dataclasses, dictionaries and sequences of them."""
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_APPEND_NEWLINE)
