"""Machines are read column by column."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled
from tests.service.engine.estimate.machines import machine

from plimsoll_service.engine.datasets import TWO_THREADS
from plimsoll_service.engine.machines import COLUMNS, Machines, concatenate, machines_of, processor_columns

WHOLE = machines_of(bundled())


def test_machines_of_a_kind_have_the_same_device() -> None:
    """Every figure of a device is that of the machine which stands for the kind; without one, those of its cores."""
    kinds = WHOLE.hardware_groups
    some = WHOLE.take(kinds.rows).take(kinds.of)
    on_device = WHOLE.has_accelerator()

    assert len(kinds) < len(WHOLE) / 3
    for name in ("accelerator", "bandwidth_gb_s", "peak_tflops", "link_gb_s", "device_memory_gib", "gzip_mb_s"):
        np.testing.assert_array_equal(getattr(WHOLE, name)[on_device], getattr(some, name)[on_device])
    for name in ("cores", "sockets", "cpu_tflops", "cpu_bandwidth_gb_s", "vector", "gzip_mb_s"):
        np.testing.assert_array_equal(getattr(WHOLE, name)[~on_device], getattr(some, name)[~on_device])


def test_machines_of_two_tables_are_not_taken_for_alike() -> None:
    """Numbers of kinds are told apart where tables are joined."""
    both = concatenate([machine(vcpus=8), machine(accelerator=None, vcpus=64)])

    assert 2 == len(both.hardware_groups)
    assert 2 == len(set(both.memory_alike.tolist()))
    assert 2 == len(set(both.group.tolist()))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Standard_ND96is_MI300X_v5", "Standard_ND96isr_MI300X_v5", True),  # with InfiniBand and without
        ("g5.xlarge", "g5.16xlarge", True),
        ("g5.xlarge", "g5.12xlarge", False),  # four devices
        ("p5en.48xlarge", "Standard_ND96isr_H200_v5", False),  # another cloud
        ("Standard_ND96asr_v4", "Standard_ND96amsr_A100_v4", False),  # 40 and 80 GB
        ("m7i.large", "c7i.48xlarge", True),
        ("m7i.large", "m7a.large", False),
        ("m6i.large", "m7i.large", False),
        ("m6g.large", "m7g.large", False),
        ("Standard_DC2ads_v5", "Standard_DC2ads_v6", False),  # of unknown model: by generation
        ("VM.Standard.E4.Flex$_1ocpu_16gb", "VM.Standard.E5.Flex$_1ocpu_16gb", False),
    ],
)
def test_group_is_the_choice_of_hardware(one: str, other: str, same: bool) -> None:
    """In one cloud: the device and how many a machine has, or the microarchitecture of the processors."""
    names = bundled().instance_types.name

    assert same == (WHOLE.group[names.index(one)] == WHOLE.group[names.index(other)])


def test_taken_rows_are_those_of_every_column() -> None:
    """Rows of rows, with columns replaced before and after."""
    rows = np.array([7, 3, 3, 11], dtype=np.int32)
    taken: Machines = WHOLE.take(rows).changed(vcpus=np.arange(4.0)).take(np.array([2, 0], dtype=np.int32))

    assert 2 == len(taken)
    assert [2.0, 0.0] == taken.vcpus.tolist()
    for name in COLUMNS - {"vcpus"}:
        np.testing.assert_array_equal(getattr(WHOLE, name)[[3, 7]], getattr(taken, name))


def test_columns_are_gathered_when_they_are_asked_for() -> None:
    """A column is gathered once; fresh copies of the machines have gathered none and keep their changes."""
    taken = WHOLE.take(np.arange(100, dtype=np.int32)).changed(devices=np.ones(100))
    before = set(vars(taken))
    gathered = taken.cores

    assert "cores" not in before
    assert taken.cores is gathered
    assert before == set(vars(taken.afresh()))
    assert taken.afresh().devices is taken.devices


def test_a_figure_of_one_machine_gathers_no_column() -> None:
    """It is that of the column, replaced or not, of rows of rows."""
    rows = np.array([7, 3, 11], dtype=np.int32)
    taken = WHOLE.take(rows).changed(vcpus=np.arange(3.0)).take(np.array([2, 1], dtype=np.int32))
    before = set(vars(taken))

    assert [2.0, 1.0] == [taken.figure("vcpus", row) for row in range(2)]
    assert [WHOLE.cores.item(row) for row in (11, 3)] == [taken.figure("cores", row) for row in range(2)]
    assert before == set(vars(taken))


def test_machines_have_no_other_columns() -> None:
    """A misspelt name is an error."""
    with pytest.raises(AttributeError, match="colour"):
        _ = WHOLE.take(np.arange(2, dtype=np.int32)).colour


def test_cores_with_two_vector_pipes_have_half_the_peak_of_those_with_four() -> None:
    """Azure's Cobalt 100 (Neoverse N2) against AWS Graviton4 (Neoverse V2), both of sve2, a core and cycle."""
    processors = bundled().processors
    of = {name: place for place, name in enumerate(processors.name)}
    rows = np.array([of["Azure Cobalt 100"], of["AWS Graviton4"]], dtype=np.int32)
    two, four = (
        processor_columns(np.full(2, 8.0), np.ones(2), rows, processors)["cpu_tflops"] / processors.clock_ghz[rows]
    )

    assert four == pytest.approx(2 * two)


def test_volumes_of_older_types_share_their_network() -> None:
    """AWS states no rate to volumes of them, Oracle none at all: more than their network is not to be had."""
    types = bundled().instance_types
    oracle = "VM.Standard.A2.Flex$_1ocpu_4gb"
    rows = {name: types.name.index(name) for name in ("t2.xlarge", oracle, "c7g.2xlarge", "Standard_D8pls_v6")}
    found = {name: float(WHOLE.disk_mib_s[row]) for name, row in rows.items()}

    assert found["t2.xlarge"] == pytest.approx(float(types.network_gbps[rows["t2.xlarge"]]) * 1e9 / 8 / 2**20)
    assert found[oracle] == pytest.approx(1e9 / 8 / 2**20)
    assert found["c7g.2xlarge"] == pytest.approx(312.5e6 / 2**20, abs=1e-3)
    assert np.isnan(found["Standard_D8pls_v6"])


def test_a_core_with_two_threads_decodes_little_more_than_one_with_one() -> None:
    """Sixteen vCPUs of Axion load ImageNet 1.46 times as fast as those of a Xeon 8581C (arXiv 2605.08731)."""
    processors = bundled().processors
    rows = np.array([processors.name.index(name) for name in ("Google Axion", "Intel Xeon Platinum 8581C")])
    columns = processor_columns(np.full(2, 16.0), np.ones(2), rows, processors)
    arm, intel = columns["cores"] * columns["core_speed"] * np.where(columns["threads"] > 1, TWO_THREADS, 1.0)

    assert arm / intel == pytest.approx(2561 / 1754, rel=0.1)
