"""Printed names to the project's own, from the tables in ``data``."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

_NO_LETTERS = re.compile(r"[^a-z0-9.]+")


@dataclass(frozen=True, slots=True)
class Named:
    """The project's name for a printed one, with a doubt."""

    name: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Device(Named):
    """An accelerator; ``tf32`` where its fp32 products run in TF32 unless the row says otherwise."""

    tf32: bool = False


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor of the catalog, and its hardware threads where the name shows them."""

    name: str
    vcpus: int | None


@cache
def _table(name: str) -> dict[str, dict[str, str]]:
    with (resources.files(__package__) / "data" / f"{name}.csv").open(encoding="utf-8") as file:
        return {row["printed"]: row for row in csv.DictReader(file)}


def model(printed: str) -> Named:
    """Return the registry's model; an unknown one is a slug of its printed name, with a doubt."""
    row = _table("models").get(printed)
    return Named(row["model"], row["doubt"]) if row else Named(slug(printed), "no such model in the registry")


def framework(printed: str) -> str:
    """Return the API's framework, without a version behind the name; an unknown one is ``other``."""
    table = _table("frameworks")
    row = table.get(printed) or table.get(printed.split(" ")[0])
    return row["framework"] if row else "other"


def accelerator(printed: str) -> Device | None:
    """Return the catalog's accelerator, or ``None`` for a processor; an unknown one is a slug, with a doubt."""
    if not printed or printed == "N/A" or processor(printed) is not None:
        return None
    row = _table("accelerators").get(printed)
    if row is None:
        return Device(slug(printed), "no such device in the catalog")
    return Device(row["accelerator"], row["doubt"], row["tf32"] == "yes")


def processor(printed: str) -> Processor | None:
    """The processor of that printed name, or ``None``."""
    row = _table("processors").get(printed)
    return Processor(row["cpu"], int(row["vcpus"]) if row["vcpus"] else None) if row else None


def slug(printed: str) -> str:
    """Name in small letters and dashes, without the owner."""
    return _NO_LETTERS.sub("-", printed.rsplit("/", 1)[-1].lower()).strip("-")
