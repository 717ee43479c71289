"""The base of all schemas: unknown fields are refused with a suggestion, null means left out, loading gives a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import EXCLUDE, Schema, ValidationError, post_load, pre_load, validates_schema

from ...engine.names import suggest

# More than a slip of the pen: a look for similar names would take longer than all the rest.
MOST_UNKNOWN = 50


class StrictSchema(Schema):
    """Loads into ``target``, a frozen dataclass."""

    target: ClassVar[type]
    # Where fields belong that are easily put here by mistake.
    homes: ClassVar[Mapping[str, str]] = {}
    error_messages: ClassVar[dict[str, str]] = {"type": "must be an object"}

    class Meta:
        """Unknown fields pass marshmallow, because ``refuse_unknown`` says more about them."""

        unknown = EXCLUDE

    @pre_load
    def drop_nulls(self, data: Any, **_: Any) -> Any:
        """Take a null for what was left out."""
        if not isinstance(data, Mapping):
            return data
        return {name: value for name, value in data.items() if value is not None}

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def refuse_unknown(self, _data: Any, original: Any, **_: Any) -> None:
        """Name every field that the schema does not have."""
        if isinstance(original, Mapping):
            unknown = [name for name in original if name not in self.fields]
            if len(unknown) > MOST_UNKNOWN:
                raise ValidationError([f"has {len(unknown)} unknown fields; it takes {', '.join(self.fields)}"])
            if unknown:
                raise ValidationError({name: [self.unknown_field(name)] for name in unknown})

    def unknown_field(self, name: str) -> str:
        """The words for one unknown field, with what was perhaps meant."""
        if name in self.homes:
            return f"unknown field here: it belongs into {self.homes[name]!r}"
        near = suggest(name, self.fields)
        meant = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
        return f"unknown field{meant}"

    @post_load
    def to_value(self, data: dict[str, Any], **_: Any) -> Any:
        """The loaded data as the frozen value."""
        return self.build(data)

    def build(self, data: dict[str, Any]) -> Any:
        """The target from its loaded fields; lists become tuples."""
        return self.target(**{name: tuple(value) if isinstance(value, list) else value for name, value in data.items()})
