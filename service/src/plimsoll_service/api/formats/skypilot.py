"""A SkyPilot task, or a service for ``sky serve``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.answer import Alternative, Recommendation
from . import support
from .commands import HEALTH, LOCAL_DISK_SETUP, PORT, ROOT_VOLUME_SETUP, command, on_several_ports, package
from .format import Consumer
from .launch import Launch
from .machines import ATTACHED, NO_REGION, Machine, region_name
from .yaml_text import of_the_user, yaml_format

# SkyPilot's names of Google Cloud's GPUs where they differ from the catalog's; source: docs.skypilot.co, compute/gpus.
_ACCELERATORS = {"V100-16GB": "V100", "A100-40GB": "A100", "H100-SXM": "H100", "RTX-PRO-6000": "RTXPRO6000"}
_MEGA = ("a3-megagpu-8g", "H100-MEGA")  # a GPU name of its own for one machine; same source
# TPUs that SkyPilot rents are slices of Cloud TPU; source: docs.skypilot.co, reference/tpu.
_TPU = "tpu-"
_TPU_VENDOR = "Google"
_TOOL = "skypilot"
# Tiers of SkyPilot's volumes by generic class; source: sky/clouds 0.14.1, _get_disk_specs.
_TIERS = {"hdd": "low", "efficiency": "low", "balanced": "medium", "ssd": "high"}
_LEAST_GB = 50  # an image with its drivers; smaller disks than the image's are refused by the clouds
_PLACE = 'export NODE_RANK=$SKYPILOT_NODE_RANK\nexport MASTER_ADDR=$(echo "$SKYPILOT_NODE_IPS" | head -n1)\n'


def _against(launch: Launch) -> str | None:
    cloud = launch.one.cloud
    if launch.service and not support.able(_TOOL, cloud, "service"):
        return f"SkyPilot has no services on {cloud}"
    together = launch.span if launch.service else launch.one.node_count
    if together > 1 and not support.able(_TOOL, cloud, "multi_node"):
        return f"SkyPilot has no several machines on {cloud}"
    if launch.spot and not support.able(_TOOL, cloud, "spot"):
        return f"SkyPilot has no spot on {cloud}"
    return on_several_ports(launch)


CONSUMER = Consumer(
    "SkyPilot",
    ("aws", "azure", "gcp", "oci", "lambda", "nebius", "verda", "hyperbolic", "runpod"),
    lambda machine: machine.whole and machine.tpu_slice == (machine.vendor == _TPU_VENDOR),
    against=_against,
)


def _task(launch: Launch) -> dict[str, Any]:
    document: dict[str, Any] = {"num_nodes": launch.span if launch.service else launch.one.node_count}
    if launch.service:
        document["service"] = {"readiness_probe": _probe(launch), "replicas": launch.units}
    document |= {"resources": _resources(launch), "envs": launch.environment()}
    setup = LOCAL_DISK_SETUP if launch.local_disk else ROOT_VOLUME_SETUP
    engine = package(launch)
    document["setup"] = setup + (f'pip install "{engine}"\n' if engine else "")
    document["run"] = (_PLACE if launch.span > 1 else "") + f"{command(launch)}\n"
    return document


def _probe(launch: Launch) -> dict[str, Any]:
    serving = launch.one.estimate.serving
    start = serving.cold_start_seconds if serving else None
    # Twice the estimated start: the weights may come slower than estimated.
    return {"path": HEALTH} | ({"initial_delay_seconds": round(2 * start)} if start else {})


def _resources(launch: Launch) -> dict[str, Any]:
    first, machine = launch.one, launch.machine
    place = _place(first)
    found = place | _hardware(machine) | {"use_spot": launch.spot} | _volume(launch)
    if launch.span > 1 and machine.family in support.words(_TOOL, first.cloud, "network_type"):
        found["network_tier"] = "best"
    if launch.service:
        found["ports"] = PORT
    others = [] if machine.tpu_slice else [*_others(launch, machine), *_next(launch)]
    # In the order of cost; each overrides what stands above.
    return found | ({"ordered": [{**place, **_hardware(machine)}, *others]} if others else {})


def _volume(launch: Launch) -> dict[str, Any]:
    size = max(launch.volume_gib, _LEAST_GB)
    tier = _TIERS.get(launch.one.sizing.disk.type)
    known = tier is not None and support.able(_TOOL, launch.one.cloud, "disk_tier")
    return {"disk_size": size} | ({"disk_tier": tier} if known else {})


def _others(launch: Launch, machine: Machine) -> list[dict[str, Any]]:
    """The same hardware elsewhere: in other machines, then in other regions."""
    first = launch.one
    found = [_alternative(first, one, machine) for one in first.alternatives if _alike(first, one)]
    if launch.workload.get("dataset") and "region" in str(launch.workload["dataset"]):
        return found  # the data are not elsewhere
    regions = [each.region for each in first.other_regions if each.region not in NO_REGION]
    return found + [{"cloud": first.cloud, "region": region, **_hardware(machine)} for region in regions]


def _next(launch: Launch) -> Iterator[dict[str, Any]]:
    """Other hardware, also of other clouds, on which the same command runs with the same settings."""
    for other in launch.behind if "region" not in str(launch.workload.get("dataset")) else ():
        same = all(
            said(other) == said(launch)
            for said in (command, Launch.environment, lambda each: each.one.node_count, lambda each: each.spot)
        )
        able = CONSUMER.against_it(other) is None and not other.machine.tpu_slice
        place = _place(other.one)
        if same and able and other.local_disk == launch.local_disk and place.keys() == _place(launch.one).keys():
            yield place | _hardware(other.machine)


def _place(one: Recommendation) -> dict[str, str]:
    region = region_name(one)
    return {"cloud": one.cloud} | ({"region": region} if region else {})


def _alike(first: Recommendation, one: Alternative) -> bool:
    return (one.node_count, one.purchase) == (first.node_count, first.purchase) and ATTACHED not in one.instance_type


def _alternative(first: Recommendation, one: Alternative, machine: Machine) -> dict[str, Any]:
    region = {} if one.region in NO_REGION else {"region": one.region}
    hardware = _hardware(machine) | {"instance_type": one.instance_type}
    return {"cloud": first.cloud, **region, **hardware}


def _hardware(machine: Machine) -> dict[str, Any]:
    if machine.tpu_slice:
        return {"accelerators": {f"{_TPU}{machine.instance_type}": 1}}
    found: dict[str, Any] = {"instance_type": machine.instance_type.partition(ATTACHED)[0]}
    # On Google Cloud a GPU is attached to a machine and must be named; elsewhere the instance type implies it.
    if machine.accelerator and machine.cloud == "gcp":
        name, own_name = machine.accelerator, dict((_MEGA,)).get(machine.instance_type)
        found["accelerators"] = {own_name or _ACCELERATORS.get(name, name): int(machine.count)}
    return found


SKYPILOT = yaml_format("skypilot", CONSUMER, _task, of_the_user)
