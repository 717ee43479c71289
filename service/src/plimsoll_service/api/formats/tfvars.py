"""Terraform variables as JSON (``*.tfvars.json``)."""

from __future__ import annotations

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from ..encode import encode
from .facts import facts
from .format import Format


def _variables(answer: Answer, _: Catalog) -> bytes:
    # Terraform asks for a variable that is absent, and takes a null for its default.
    return encode(facts(answer) if answer.recommendations else {})


RECOMMENDATIONS = Format("tfvars", "application/vnd.plimsoll.tfvars+json", _variables)
