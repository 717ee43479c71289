"""The query parameter that names a price snapshot, and what it loads into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .fields import Text
from .strict import StrictSchema


class Version(Text):
    """The version of a price snapshot, as answers name it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> str:
        # No version has a space, but that is what a URL's bare plus sign stands for.
        return super()._deserialize(value, attr, data, **options).replace(" ", "+")


@dataclass(frozen=True)
class Replay:
    """At which prices to answer; ``None`` for those in force."""

    snapshot: str | None = None


class ReplaySchema(StrictSchema):
    """What may stand in the address of a question beside its format."""

    target = Replay

    snapshot = Version(
        "The `catalog.version` of an answer, to have it again (a deadline given as a time still counts from now);"
        " left out: the prices in force."
    )
