"""A job of GitHub Actions, whose label asks RunsOn for the machine.

Sources: RunsOn, "Job labels"; GitHub Docs, "Actions limits" and "Workflow syntax".
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .commands import command
from .format import Consumer
from .launch import DATA, Launch
from .machines import Machine, region_name
from .yaml_text import of_the_user, yaml_format

_NAME = "plimsoll"
_GPU_VENDOR = "NVIDIA"
# Images of RunsOn; there is none for GPUs beside arm64.
_IMAGES = {
    ("x86_64", False): "ubuntu24-full-x64",
    ("arm64", False): "ubuntu24-full-arm64",
    ("x86_64", True): "ubuntu24-gpu-x64",
}
_LEAST_GIB = 40  # of the volume: the image of RunsOn and a checkout
_MOST_MINUTES = 5 * 24 * 60  # of a job on a runner of one's own
_MOST_JOBS = 256  # of a matrix


def _image(machine: Machine) -> str | None:
    return _IMAGES.get((machine.architecture or "", machine.vendor is not None))


def _launches(machine: Machine) -> bool:
    return machine.whole and machine.vendor in (None, _GPU_VENDOR) and _image(machine) is not None


def _against(launch: Launch) -> str | None:
    hours = launch.one.estimate.time_hours
    if launch.service:
        return "GitHub Actions runs jobs, and no services"
    if launch.span > 1:
        return "a job of GitHub Actions runs on one machine"
    if launch.units > _MOST_JOBS:
        return f"a matrix of GitHub Actions has at most {_MOST_JOBS} jobs"
    if hours is not None and hours.high * 60 > _MOST_MINUTES:
        return f"a job of GitHub Actions ends after {_MOST_MINUTES // 60} hours"
    return None


CONSUMER = Consumer("RunsOn", ("aws",), _launches, against=_against)


def _notes(launch: Launch) -> Iterator[str]:
    if launch.local_disk:
        yield "the work reads from a volume of the size of its local disks"
    yield from of_the_user(launch)


def _workflow(launch: Launch) -> dict[str, Any]:
    hours = launch.one.estimate.time_hours
    several = launch.units > 1
    # Each job of a matrix has a label of its own, so that none takes another's machine.
    run = "${{ github.run_id }}" + ("-${{ matrix.machine }}" if several else "")
    labels = {
        "runs-on": run,
        "family": launch.one.instance_type,
        "spot": "true" if launch.spot else "false",
        "image": _image(launch.machine),
        "volume": f"{max(launch.volume_gib, launch.disk_gib, _LEAST_GIB)}gb",
        "region": region_name(launch.one),
    }
    job = {
        "runs-on": "/".join(f"{name}={value}" for name, value in labels.items()),
        **({"strategy": {"matrix": {"machine": list(range(launch.units))}}} if several else {}),
        "timeout-minutes": math.ceil(hours.high * 60) if hours else _MOST_MINUTES,
        "env": launch.environment(),
        "steps": [
            {"uses": "actions/checkout@v5"},
            {"run": f'sudo install -d -o "$USER" {DATA}'},
            {"run": command(launch)},
        ],
    }
    return {"jobs": {_NAME: job}}


RUNS_ON = yaml_format("runs_on", CONSUMER, _workflow, _notes)
