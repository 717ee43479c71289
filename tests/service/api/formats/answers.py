"""Answers that recommend machines of the catalog, whatever a workload would ask for."""

from __future__ import annotations

from dataclasses import replace

from tests.service.api.conftest import ANSWER, RECOMMENDATION

from plimsoll_service.api.formats.format import Consumer
from plimsoll_service.api.formats.machines import Machine, machines
from plimsoll_service.engine.answer import AcceleratorChoice, Answer
from plimsoll_service.engine.hardware import Catalog

PURCHASES = ("on_demand", "spot")
NODES = (1, 3)
DISKS = ("ssd", "nvme", "hdd")
REGIONS = {"lambda": "global", "oci": "global", "runpod": "global", "hyperbolic": "default"}


def answer_of(machine: Machine, turn: int = 0) -> Answer:
    """An answer that recommends this machine alone; ``turn`` varies purchase, nodes and disk."""
    named = machine.accelerator is not None
    disk = replace(RECOMMENDATION.sizing.disk, type=DISKS[turn % len(DISKS)])
    one = replace(
        RECOMMENDATION,
        cloud=machine.cloud,
        region=REGIONS.get(machine.cloud, "us-east-1"),
        instance_type=machine.instance_type,
        node_count=NODES[turn // 2 % len(NODES)],
        purchase=PURCHASES[turn % len(PURCHASES)],
        accelerator=AcceleratorChoice(machine.accelerator or "", machine.count, 16.0) if named else None,
        sizing=replace(RECOMMENDATION.sizing, disk=disk),
    )
    return replace(ANSWER, recommendations=(one,))


def launchable(consumer: Consumer, catalog: Catalog) -> list[Machine]:
    """The machines that a consumer says it can launch: the first of each family and accelerator count."""
    found: dict[tuple[str, str | None, float], Machine] = {}
    for machine in machines(catalog):
        if machine.cloud in consumer.clouds and consumer.launches(machine):
            found.setdefault((machine.cloud, machine.family, machine.count), machine)
    return list(found.values())
