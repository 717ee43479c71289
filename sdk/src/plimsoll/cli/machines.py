"""Machines as arguments: ``aws/p3.2xlarge``, ``aws/p3.2xlarge,node_count=2``, ``accelerator=T4,count=2``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from plimsoll.cli.failures import guess, refused
from plimsoll.cli.fields import Field
from plimsoll.inputs import Hardware

SYNTAX = "CLOUD/INSTANCE_TYPE or NAME=VALUE, more NAME=VALUE after commas"
_TEXTS = ("cloud", "instance_type", "region", "purchase", "accelerator", "cpu", "label")
# `max_nodes` belongs to own machines in constraints only.
NAMES = tuple(each.name for each in dataclasses.fields(Hardware) if each.name != "max_nodes")


def machine_of(text: str) -> Any:
    """Return the machine that the text describes; raises ``click.ClickException`` naming every fault."""
    return machines_of((text,))[0]


def machines_of(texts: Sequence[str]) -> list[Any]:
    """Return the machine of each text; raises ``click.ClickException`` naming all faults."""
    faults: list[str] = []
    machines = [_object(text, faults) if text.startswith("{") else _machine(text, faults) for text in texts]
    if faults:
        raise refused("\n".join(["a machine cannot be read:", *faults]))
    return machines


def _machine(text: str, faults: list[str]) -> dict[str, Any]:
    machine: dict[str, Any] = {}
    for place, part in enumerate(text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and place == 0 and "/" in name:
            machine["cloud"], _, machine["instance_type"] = name.partition("/")
        elif not equals or not value:
            faults.append(f"  {text}: '{part}' is not {SYNTAX}")
        elif name not in NAMES:
            faults.append(f"  {text}: unknown name '{name}'{guess(name, NAMES)}")
        else:
            machine[name] = Field(name, "text" if name in _TEXTS else "number", "").value(value)
    return machine


def _object(text: str, faults: list[str]) -> dict[str, Any]:
    try:
        machine: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        faults.append(f"  {text}: is not JSON: {error}")
        return {}
    return machine
