"""The model: a known name, or a description by numbers or by a Hugging Face configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields

from ...engine.models.families import MODEL_FAMILIES
from ...engine.workload import CustomModel
from .bounds import MOST_COUNT, MOST_FLOPS, MOST_LAYERS, MOST_LENGTH
from .fields import Choice, Number, StrictField, Text, Whole, shown
from .strict import StrictSchema

NAME = Text()


class Configuration(StrictField):
    """A Hugging Face configuration, as it stands in the model's ``config.json``."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or not value:
            raise ValidationError("must be the object that the model's config.json holds")
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": True, "minProperties": 1}


class CustomModelSchema(StrictSchema):
    """A model that is not in the list; ``config`` alone is enough, or ``family`` with ``parameters``."""

    target = CustomModel

    name = Text("What to call it in the answer.")
    config = Configuration("A Hugging Face configuration.")
    family = Choice(MODEL_FAMILIES, "The architecture's family.")
    parameters = Number(MOST_COUNT, "All parameters.")
    active_parameters = Number(MOST_COUNT, "Parameters used per token; a mixture of experts has fewer than all.")
    forward_flops_per_sample = Number(MOST_FLOPS, "Operations of a forward pass; a multiply-add is two.")
    forward_flops_per_token = Number(MOST_FLOPS, "Operations of a forward pass over one token.")
    layers = Whole(MOST_LAYERS, "Layers of a transformer or recurrent network.")
    hidden_size = Whole(MOST_LENGTH, "Width of a layer.")


class Model(fields.Nested):
    """A name, or a ``CustomModel``."""

    def __init__(self, description: str) -> None:
        super().__init__(CustomModelSchema, metadata={"description": description})

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> Any:
        if isinstance(value, str):
            return NAME._deserialize(value, attr, data)
        if not isinstance(value, dict):
            raise ValidationError(f"must be a model's name (see /v1/models) or an object, not {shown(value)}")
        return super()._deserialize(value, attr, data, **options)

    def from_text(self, text: str) -> object:
        """The name that a query parameter gives."""
        return text
