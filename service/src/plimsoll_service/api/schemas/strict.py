"""The base of all schemas: it refuses unknown fields with a suggestion, and loads frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import EXCLUDE, Schema, ValidationError, post_load, pre_load, validates_schema

from ...engine.names import suggest

# With more unknown fields, a search for similar names would take longer than all the rest.
MOST_UNKNOWN = 50


class StrictSchema(Schema):
    """A schema that loads into ``target``, a frozen dataclass; null stands for a missing field."""

    target: ClassVar[type]
    # The right object for fields that are often put here by mistake.
    homes: ClassVar[Mapping[str, str]] = {}
    # What people call a field, where its name does not resemble that.
    synonyms: ClassVar[Mapping[str, str]] = {}
    error_messages: dict[str, str] = {"type": "must be an object"}  # noqa: RUF012 - as marshmallow types it

    class Meta:
        """Unknown fields pass marshmallow, because ``refuse_unknown`` has a better message."""

        unknown = EXCLUDE

    @pre_load
    def drop_nulls(self, data: Any, **_: Any) -> Any:
        """Treat null as a missing field."""
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

    @validates_schema(skip_on_field_errors=False)
    def tell_contradictions(self, data: Any, **_: Any) -> None:
        """Refuse fields that exclude each other."""
        found = self.contradictions(data)
        if found:
            raise ValidationError(found)

    def contradictions(self, _data: Mapping[str, Any]) -> dict[str, list[str]]:
        """Messages about fields that exclude each other, by name."""
        return {}

    def unknown_field(self, name: str) -> str:
        """The message about an unknown field, with similar names."""
        if name in self.homes:
            return f"unknown field here: it belongs in {self.homes[name]!r}"
        near = (self.synonyms[name],) if name in self.synonyms else suggest(name, self.fields)
        meant = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
        return f"unknown field{meant}"

    @post_load
    def to_value(self, data: dict[str, Any], **_: Any) -> Any:
        """The loaded data as the frozen value."""
        return self.build(data)

    def build(self, data: dict[str, Any]) -> Any:
        """The target from its loaded fields; lists become tuples."""
        return self.target(**{name: tuple(value) if isinstance(value, list) else value for name, value in data.items()})
