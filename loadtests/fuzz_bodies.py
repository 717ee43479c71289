"""Mutated valid requests of the examples: hypothesis picks the place and the new value."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import yaml
from fuzz_wire import request
from hypothesis import strategies as st
from workloads import EXAMPLES

CONTRACT = Path(__file__).parents[1] / "openapi.yaml"
ON = {"cloud": "aws", "instance_type": "p3.2xlarge"}
BARE = {"accelerator": "V100-16GB", "count": 1, "vcpus": 8, "memory_gib": 61}
SNIPPETS = (
    *(None, True, False, 0, -1, 1, 0.1, -0.0, 1e308, -1e308, 5e-324, 2**31, 2**63, 2**64, 10**40, "", " ", "0", "-1"),
    *(
        "1e400",
        "NaN",
        "nan",
        "Infinity",
        "-inf",
        "240GB",
        "1e99GB",
        "-1GB",
        "٣٦h",
        "½ GiB",
        "36h",
        "PT36H",
        "P1Y",
        "PT",
    ),
    *(
        "9" * 400,
        "2999-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "auto",
        "a100",
        "A100",
        "resnet50",
        "\u0000",
        "é\u0301",
    ),
    *(
        "\ud83d\ude00",
        "‮",
        "' OR 1=1 --",
        "$(id)",
        "`id`",
        "{{7*7}}",
        "../../etc/passwd",
        "x" * 5000,
        [],
        {},
        [[]],
        [{}],
    ),
    *([None], [1, "1"], {"": None}, {"__proto__": 1}, ["aws"] * 300, [0] * 3000, {"size": "1GB"}, {"config": {}}),
    *({"family": "moe", "parameters": 1e15}, {"family": "encoder", "layers": 0}, {"config": {"hidden_size": -1}}),
)
ANYTHING = st.one_of(
    st.sampled_from(SNIPPETS),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3), max_leaves=5
    ),
)
ACTS = ("put", "put", "put", "drop", "add", "repeat", "wrap")
METHODS = ("GET", "GET", "GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")


def valid() -> dict[str, list[Any]]:
    """Valid bodies by path."""
    examples = list(EXAMPLES.values())
    return {
        "/v1/recommendations": examples,
        "/v1/estimates": [each | {"on": on} for each in examples for on in (ON, BARE)],
        "/v1/comparisons": [each | {"on": [ON, BARE]} for each in examples],
        "/v1/recommendations/batch": [{"requests": examples[:3]}],
    }


def bodies() -> st.SearchStrategy[bytes]:
    """Requests with a mutated body."""
    shapes = [(path, body) for path, found in valid().items() for body in found]
    bends = st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(ACTS), ANYTHING), min_size=1, max_size=3)
    return st.builds(_bent, st.sampled_from(shapes), bends, st.sampled_from(("", "", "", "?format=csv", "?format=x")))


def queries() -> st.SearchStrategy[bytes]:
    """Requests with the contract's query parameters and arbitrary values."""
    with CONTRACT.open(encoding="utf-8") as file:
        paths = yaml.safe_load(file)["paths"]
    known = [(path, [one["name"] for one in of.get("get", {}).get("parameters", ())]) for path, of in paths.items()]
    asked = st.sampled_from(known).flatmap(
        lambda one: st.tuples(
            st.sampled_from(METHODS),
            st.just(one[0]),
            st.lists(st.tuples(st.sampled_from(one[1] or ["format"]), ANYTHING), max_size=5),
        )
    )
    return asked.map(
        lambda parts: request(parts[0], f"{parts[1].replace('{', '').replace('}', '')}?{_query(parts[2])}")
    )


def _query(pairs: list[tuple[str, Any]]) -> str:
    return urlencode([(name, str(value)[:2000]) for name, value in pairs], errors="replace")


def _bent(shape: tuple[str, Any], bends: list[tuple[int, str, Any]], ending: str) -> bytes:
    path, body = shape[0], copy.deepcopy(shape[1])
    for where, act, what in bends:
        places = list(_places(body))
        if places:
            _bend(*places[where % len(places)], act, copy.deepcopy(what))
    return request("POST", path + ending, json.dumps(body).encode(errors="replace"))


def _bend(owner: Any, key: Any, act: str, what: Any) -> None:
    """Mutate one place of a body."""
    match act:
        case "drop":
            del owner[key]
        case "add" if isinstance(owner, dict):
            owner[str(what)[:50]] = what
        case "repeat" if isinstance(owner, list):
            owner.extend(owner[:50])
        case "wrap":
            owner[key] = [owner[key]]
        case _:
            owner[key] = what


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every object and every index of every list."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(entries):
        yield value, key
        yield from _places(inner)
