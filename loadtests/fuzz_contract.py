"""Requests that schemathesis makes from the contract: some that it allows, some that it does not."""

from __future__ import annotations

from pathlib import Path

import requests
import schemathesis
from fuzz_wire import request
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

# Making an invalid request takes some times as long as making a valid one.
MODES = (GenerationMode.POSITIVE, GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
SLOW_TO_MAKE = "/v1/recommendations/batch"


def operations(contract: Path) -> dict[str, st.SearchStrategy[schemathesis.Case]]:
    """A strategy for each operation of the contract, and the kind of request."""
    schema = schemathesis.openapi.from_path(contract)
    found = [each.ok() for each in schema.get_all_operations()]
    return {
        f"{each.label} {mode.value}": each.as_strategy(generation_mode=mode)
        for each in found
        for mode in (MODES[:1] if each.path == SLOW_TO_MAKE else MODES[1:])
    }


def written(case: schemathesis.Case) -> bytes:
    """The case as it goes over the wire."""
    made = requests.Request(**case.as_transport_kwargs(base_url="http://localhost")).prepare()
    body = made.body.encode() if isinstance(made.body, str) else made.body
    fields = [f"{name}: {_field(value)}" for name, value in made.headers.items() if name.lower() != "content-length"]
    if body is not None:
        fields.append(f"Content-Length: {len(body)}")
    return request(made.method or "GET", made.path_url, None, *fields) + (body or b"")


def _field(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
