"""An sbatch script, for your own cluster or one in a cloud."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from .commands import PORT, command, set_environment
from .format import Consumer, Format, Pick
from .launch import DATA, Launch
from .machines import OWN, machines
from .yaml_text import comments, head, nothing, of_the_user

_MIB_PER_GIB = 1024
# Machines that work together, in groups of so many: each finds its place, and the first of its group.
_PLACE = """\
export NODE_RANK=$((SLURM_NODEID % {span}))
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n "$((SLURM_NODEID - NODE_RANK + 1))p")
"""


def _pick(answer: Answer, catalog: Catalog) -> Pick:
    """The best of the user's own machines; without any, the best of all for a cluster in a cloud."""
    own = Consumer("the cluster", (OWN,)).pick(answer, catalog)
    if own.launch is not None:
        return own
    return Consumer("the cluster", tuple({one.cloud for one in machines(catalog)})).pick(answer, catalog)


def _script(answer: Answer, catalog: Catalog) -> str:
    pick = _pick(answer, catalog)
    launch = pick.launch
    if launch is None:
        return nothing(answer, pick)
    options = "".join(f"#SBATCH --{option}\n" for option in _options(launch))
    told = comments((*head(pick, _notes(launch)), *of_the_user(launch)))
    place = _PLACE.format(span=launch.span) if launch.span > 1 else ""
    # Quoted, so that each machine reads its own place.
    run = f"srun bash <<'MACHINE'\nset -eu\n{place}{command(launch)}\nMACHINE\n"
    return f"#!/bin/bash\n{options}{told}set -eu\n{set_environment(launch)}{run}"


def _options(launch: Launch) -> Iterator[str]:
    sizing, hours = launch.one.sizing, launch.one.estimate.time_hours
    yield "job-name=plimsoll"
    yield f"nodes={launch.one.node_count}"
    yield "ntasks-per-node=1"
    if launch.devices:
        yield f"gpus-per-node={launch.devices}"
    yield f"cpus-per-task={max(math.floor(min(sizing.vcpus.required, sizing.vcpus.provided)), 1)}"
    yield f"mem={math.floor(min(sizing.memory_gib.required, sizing.memory_gib.provided) * _MIB_PER_GIB)}M"
    yield f"tmp={launch.disk_gib * _MIB_PER_GIB}M"
    if hours is not None:
        yield f"time={math.ceil(hours.high * 60)}"
    if launch.spot:
        yield "requeue"


def _notes(launch: Launch) -> Iterator[str]:
    if launch.one.cloud != OWN:
        yield f"needs a partition with {launch.one.node_count} x {launch.machine.instance_type} of {launch.one.cloud}"
    yield f"{DATA} is the disk of {launch.disk_gib} GiB on each machine"
    if launch.service:
        yield f"each machine answers on port {PORT}; a service ends with the time limit of the partition"


SLURM = Format("slurm", "application/vnd.plimsoll.slurm+x-shellscript", _script, own_first=True)
