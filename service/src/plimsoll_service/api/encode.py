"""Answers as JSON: equal values are equal bytes, and unknown numbers are null."""

from __future__ import annotations

from typing import Any

import orjson


def encode(value: Any) -> bytes:
    """The JSON of dataclasses, dictionaries and sequences of them."""
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_APPEND_NEWLINE)
