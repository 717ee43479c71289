"""Facts about a machine, and the behaviour of PyTorch's devices; a stand-in has the names that PyTorch has."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from plimsoll.measuring.machine import host_here, machine_here
from plimsoll.names import accelerators, processor

GIB = 2**30


def _torch(peaks: list[float], group: Any = None) -> Any:
    waited: list[int] = []
    cuda = SimpleNamespace(
        is_available=lambda: True,
        device_count=lambda: len(peaks),
        max_memory_allocated=lambda place: int(peaks[place] * GIB),
        max_memory_reserved=lambda place: int((peaks[place] + 1) * GIB),
        mem_get_info=lambda place: (int((23 - peaks[place]) * GIB), 24 * GIB),
        get_device_name=lambda _: "NVIDIA L4",
        synchronize=waited.append,
    )
    return SimpleNamespace(
        __version__="2.9.1", cuda=cuda, version=SimpleNamespace(cuda="12.8", hip=None), distributed=group, waited=waited
    )


def test_the_devices_that_hold_memory_are_those_used() -> None:
    """Only the two used devices of four are counted and waited for; the peak is that of the fullest."""
    torch = _torch([10.0, 9.0, 0.0, 0.0])

    here = machine_here({"torch": torch})
    here.wait()

    assert (here.on["accelerator"], here.on["count"], here.devices) == ("NVIDIA L4", 2, 2)
    assert torch.waited == [0, 1]
    assert here.memory == {"allocated_gib": 10.0, "reserved_gib": 11.0, "driver_gib": 11.0}
    assert here.versions["cuda"] == "12.8"


def test_work_on_the_processor_is_of_no_accelerator() -> None:
    """A device that holds no memory was not used."""
    here = machine_here({"torch": _torch([0.0])})

    assert "accelerator" not in here.on
    assert here.memory_gib() is None


def test_a_distributed_run_counts_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen processes, eight on each machine, are two machines of eight devices; only the first reports."""
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "8")
    group = SimpleNamespace(
        is_available=lambda: True, is_initialized=lambda: True, get_world_size=lambda: 16, get_rank=lambda: 3
    )

    here = machine_here({"torch": _torch([10.0], group)})

    assert (here.on["count"], here.on["node_count"], here.devices, here.processes) == (8, 2, 16, 16)
    assert not here.first


def test_what_the_machine_does_not_tell_is_named() -> None:
    """Without the network, the cloud is unknown; without PyTorch, no device is waited for."""
    unseen = " ".join(machine_here({}).unseen)

    assert "instance type" in unseen
    assert "PyTorch" in unseen


def test_the_host_has_threads_and_memory() -> None:
    """The figures are of this machine."""
    host = host_here()

    assert host["vcpus"] > 0
    assert host["memory_gib"] > 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NVIDIA A100-SXM4-40GB", {"accelerator": "NVIDIA A100-SXM4-40GB", "count": 1}),
        ("NVIDIA A100-SXM4-40GB MIG 3g.20gb", {"accelerator": "NVIDIA A100-SXM4-40GB", "count": 0.4286}),
        ("NVIDIA A30 MIG 1g.6gb", {"accelerator": "NVIDIA A30", "count": 0.25}),
        ("AMD Instinct MI325X OAM", {"accelerator": "AMD Instinct MI325X", "count": 1}),
        ("NVIDIA B300 SXM6 AC", {"accelerator": "NVIDIA B300", "count": 1}),
    ],
)
def test_a_drivers_name_is_the_services(name: str, expected: dict[str, Any]) -> None:
    """Words without meaning for the device are removed; a slice is its share."""
    assert expected == accelerators(name, 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("AMD EPYC 7R13 Processor", {"cpu": "AMD EPYC 7R13 Processor"}), ("AMD Ryzen 9 7950X", {}), ("", {})],
)
def test_only_processors_that_the_service_knows_are_named(name: str, expected: dict[str, Any]) -> None:
    """Only processors that the service knows are named, because it would refuse others."""
    assert expected == processor(name)
