"""Why a machine looks as it does: sentences that are true of it."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.workload import Dataset, Query, Workload

CONVERT = Workload("preprocessing", dataset=Dataset(samples=1e4, size_bytes=1e9, format="csv"))
TABLE = Workload("training", model="xgboost", features=100, trees=500, dataset=Dataset(samples=1e7, size_bytes=4e9))
READ = Workload("training", model="bert-base", epochs=3, dataset=Dataset(samples=67_000, size_bytes=1e7))
ADAPT = Workload("training", model="llama-3.2-1b", method="lora", tokens=1e6)


def reasons(workload: Workload, **machine: object) -> dict[str, str]:
    """Texts of the reasons for a machine by their rule."""
    one = ask(Query(workload), made_up(Box(**machine))).recommendations[0]
    return {note.rule: note.text for note in one.reasons}


@pytest.mark.parametrize(("vcpus", "text"), [(1, "1 vCPU does the work"), (2, "2 vCPUs do the work")])
def test_one_vcpu_is_no_plural(vcpus: int, text: str) -> None:
    """The verb follows the number."""
    assert text == reasons(CONVERT, accelerator=None, vcpus=vcpus)["all-vcpus"]


@pytest.mark.parametrize("workload", [TABLE, Workload("hpc", flops=1e17, precision="fp64")], ids=["table", "hpc"])
def test_vcpus_are_not_said_to_do_what_a_device_does(workload: Workload) -> None:
    """Where an accelerator does the work, all vCPUs do it only on a machine without one."""
    assert "all-vcpus" not in reasons(workload, accelerator="H100-SXM", vcpus=16, memory_gib=200)
    assert "all-vcpus" in reasons(workload, accelerator=None, vcpus=16, memory_gib=200)


def test_little_data_in_the_page_cache_is_told_in_mebibytes() -> None:
    """Ten megabytes are not 0.0 GiB."""
    assert "10 MiB of free memory keep what has been read" == reasons(READ)["page-cache"]


def test_processors_that_read_slower_than_they_compute_feed_no_device() -> None:
    """A machine without accelerators is not said to have some that wait."""
    once = Workload(
        "training", model="logistic-regression", epochs=1, dataset=Dataset(samples=1e8, size_bytes=4e10, format="csv")
    )
    fast = {"local_disk_gb": 4000.0, "disk_mib_s": 20_000.0, "vcpus": 64, "memory_gib": 512}
    assert reasons(once, accelerator=None, **fast)["input-pipeline"].endswith("than they could compute")


@pytest.mark.parametrize(("device", "precision"), [("V100-16GB", "fp16"), ("A100-40GB", "bf16")])
def test_sixteen_bits_are_called_by_what_the_device_has(device: str, precision: str) -> None:
    """Where no precision was asked for, a device without bf16 computes in fp16 and is said to."""
    found = reasons(ADAPT, accelerator=device)
    assert f"{precision} runs on the matrix units of this device" == found["mixed-precision"]
