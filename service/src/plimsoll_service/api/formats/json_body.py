"""JSON, with all fields of the answer."""

from __future__ import annotations

from typing import Any

from ...engine.hardware import Catalog
from ..encode import encode
from .format import Format


def _document(value: Any, _: Catalog) -> bytes:
    return encode(value)


JSON: Format[Any] = Format("json", "application/json", _document)
