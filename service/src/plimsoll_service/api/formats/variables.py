"""The first recommendation as variables of deployment scripts: for a POSIX shell and for Terraform."""

from __future__ import annotations

import shlex
from typing import Any

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from ..encode import encode
from .commands import command
from .format import Format
from .launch import Launch, launch_of
from .machines import recommended_type
from .tabular import PLACES, cell, values_at

_NUL = "\0"  # no shell's variable can hold it
_MACHINE_TYPE, _ACCELERATOR_COUNT = "machine_type", "accelerator_count"
_PLACES = PLACES["variables"]
_SETTINGS = (
    "usd_per_hour", "objective", "kind", "model", "precision", "quantization", "kv_cache_precision", "method",
    "optimizer", "sharding", "activation_recomputation", "offload", "experiments", "batch_size", "global_batch_size",
    "max_model_len", "tensor_parallel", "pipeline_parallel", "replicas", "nodes_per_replica", "command",
)  # fmt: skip
_NAMES = (*_PLACES, *_SETTINGS)


def variables(answer: Answer, catalog: Catalog) -> dict[str, Any]:
    """Every variable by name; all ``None`` where there is no recommendation."""
    if not answer.recommendations:
        return dict.fromkeys(_NAMES)
    first = answer.recommendations[0]
    found = values_at(first, _PLACES) | {_MACHINE_TYPE: recommended_type(first)}
    return found | ({} if first.accelerator else {_ACCELERATOR_COUNT: 0}) | _started(launch_of(answer, first, catalog))


def _started(launch: Launch) -> dict[str, Any]:
    """Values that start the program; ``command`` is that of one machine."""
    said = {name: value for name, value in launch.settings().items() if isinstance(value, str | int | float)}
    return {
        **dict.fromkeys(_SETTINGS),
        **said,
        "usd_per_hour": launch.usd_per_hour,
        "objective": launch.objective,
        "kind": "service" if launch.service else "job",
        "command": command(launch),
    }


def _shell_lines(answer: Answer, catalog: Catalog) -> str:
    """``NAME=value`` lines that a shell can ``eval`` safely."""
    # Without a recommendation the names are set to nothing: no value of an earlier call remains.
    found = {"recommendations": len(answer.recommendations), **variables(answer, catalog)}
    return "".join(f"{name.upper()}={shlex.quote(cell(value).replace(_NUL, ''))}\n" for name, value in found.items())


def _terraform_variables(answer: Answer, catalog: Catalog) -> bytes:
    """The content of a ``*.tfvars.json``."""
    # Terraform asks for a variable that is absent, and takes a null for its default.
    return encode(variables(answer, catalog) if answer.recommendations else {})


ENV = Format("env", "text/x-shellscript", _shell_lines)
TFVARS = Format("tfvars", "application/vnd.plimsoll.tfvars+json", _terraform_variables)
