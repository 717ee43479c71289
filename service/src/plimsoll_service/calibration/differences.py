"""Do two modules of fitted values say the same? Compared by name, numbers within a tolerance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any

RELATIVE = 0.005  # of a coefficient: other releases of linear algebra differ by less
ABSOLUTE = 0.005  # of a table's entry, which is an effect (a logarithm) or a factor near 1

Leaf = float | str


def differences(committed: str, refitted: str) -> list[str]:
    """Each value that is missing, new or different, named with both values; empty where all agree."""
    old, new = _values(committed), _values(refitted)
    found = [f"{name}: {old[name]} is no longer fitted" for name in old if name not in new and not _nothing(name, old)]
    found += [f"{name}: {new[name]} is not committed" for name in new if name not in old and not _nothing(name, new)]
    both = [name for name in old if name in new]
    found += [
        f"{name}: committed {old[name]}, refitted {new[name]}" for name in both if not _same(name, old[name], new[name])
    ]
    return found


def _nothing(name: str, values: Mapping[str, Leaf]) -> bool:
    """Whether an entry of a table is as good as none: effects that small are not written."""
    value = values[name]
    return name.endswith("]") and not isinstance(value, str) and abs(value) <= ABSOLUTE


def _same(name: str, old: Leaf, new: Leaf) -> bool:
    """Entries of a table are logarithms or factors near 1; fields of a form may be as small as microseconds."""
    if isinstance(old, str) or isinstance(new, str):
        return old == new
    return math.isclose(old, new, rel_tol=RELATIVE, abs_tol=ABSOLUTE if name.endswith("]") else 0.0)


def _values(module: str) -> dict[str, Leaf]:
    """Every number and word of the module's constants, with the names that lead to it."""
    return {name: leaf for key, value in constants_of(module).items() for name, leaf in _leaves(value, key)}


def constants_of(module: str) -> dict[str, Any]:
    """The constants that the text of a generated module defines, by name."""
    scope: dict[str, Any] = {}
    exec(module, scope)  # noqa: S102 - the project's own generated module
    return {name: value for name, value in scope.items() if name.isupper()}


def _leaves(value: object, name: str) -> Iterator[tuple[str, Leaf]]:
    if isinstance(value, int | float | str):
        yield name, value if isinstance(value, str) else float(value)
    elif isinstance(value, Set):
        yield from ((f"{name}[{item!r}]", "there") for item in sorted(value))
    else:
        for key, item in _items(value):
            yield from _leaves(item, f"{name}{key}")


def _items(value: object) -> Iterator[tuple[str, object]]:
    """What a structure holds, each with the way to it."""
    if is_dataclass(value):
        yield from ((f".{item.name}", getattr(value, item.name)) for item in fields(value))
    elif isinstance(value, Mapping):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, Sequence):
        yield from ((f"[{place}]", item) for place, item in enumerate(value))
