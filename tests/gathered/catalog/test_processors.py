"""Fits of processors: from measured machines to the rates of a core and a socket."""

from __future__ import annotations

import pytest
from gathered.catalog.gathered import HARDWARE_COLUMNS, Gathered
from gathered.catalog.processors import described, processor_name, processors

CORE_GB_S = 12.0
SOCKET_GB_S = 100.0


def machine(cores: int, sockets: int = 1, **cells: str) -> Gathered:
    """A measured machine whose bandwidth follows the saturation law exactly."""
    read = min(cores * CORE_GB_S, sockets * SOCKET_GB_S)
    known = {
        "cloud": "aws", "instance_type": f"m5.{cores}", "cpu": "Intel Xeon Platinum 8175M", "arch": "x86_64",
        "features": "avx2 avx512f", "vcpus": str(2 * cores), "sockets": str(sockets),
        "cores_per_socket": str(cores // sockets), "threads_per_core": "2", "memory_read_gbs": str(read),
        "gzip5_mb_s_1thread": "24",
    }  # fmt: skip
    return Gathered("hardware", 2, dict.fromkeys(HARDWARE_COLUMNS, "") | known | cells)


def test_fit_finds_the_share_of_a_core_and_the_ceiling_of_a_socket() -> None:
    """The fit finds both figures from machines on both sides of the bend."""
    machines = [machine(cores) for cores in (1, 2, 4, 8, 16, 24)] + [machine(48, sockets=2)]
    fitted = processors(machines)[0]

    assert fitted["core_bandwidth_gb_s"] == pytest.approx(CORE_GB_S)
    assert fitted["socket_bandwidth_gb_s"] == pytest.approx(SOCKET_GB_S)
    assert fitted["socket_cores"] == 24
    assert (fitted["vendor"], fitted["microarchitecture"], fitted["vector"]) == ("Intel", "Skylake", "avx512f")


def test_one_strange_machine_does_not_move_the_fit() -> None:
    """One throttled instance among many does not change the fit."""
    machines = [machine(cores) for cores in (1, 2, 4, 8, 16, 24)] + [machine(8, memory_read_gbs="9")]

    assert processors(machines)[0]["core_bandwidth_gb_s"] == pytest.approx(CORE_GB_S)


def test_generic_rows_stand_for_unknown_processors() -> None:
    """There is one generic row for each vendor and architecture, and one for each architecture."""
    names = [row["name"] for row in processors([machine(1), machine(2)])]

    assert names == ["Intel Xeon Platinum 8175M", "Intel x86_64, generic", "x86_64, generic"]


def test_masked_instructions_are_found_on_the_machines_that_show_them() -> None:
    """A fifth of the machines is enough to show an instruction set that old hypervisors hide on the others."""
    hidden = [machine(cores, features="avx2") for cores in (1, 2, 4)]

    assert processors([*hidden, machine(8)])[0]["vector"] == "avx512f"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"cpu": "AMD EPYC 7763"}, "AMD EPYC 7763"),
        ({"cpu": "Cortex-A72"}, "AWS Graviton"),
        ({"cpu": "Intel Xeon Platinum 8269CY T 3.10GHz"}, "Intel Xeon Platinum 8269CY"),
        ({"cpu": "AMD EPYC-Milan Processor"}, None),
        ({"cpu": "Intel Core Processor (Haswell, no TSX)"}, None),
        ({"cpu": "Intel Xeon", "l2_mib": "4", "features": "avx2 avx512f"}, "Intel Xeon (Skylake)"),
        ({"cpu": "Intel Xeon", "l2_mib": "4", "features": "avx512f avx512_vnni"}, "Intel Xeon (Cascade Lake)"),
        ({"cpu": "Intel Xeon", "l2_mib": "5"}, "Intel Xeon (Ice Lake)"),
        ({"cpu": "Intel Xeon", "l2_mib": "1"}, "Intel Xeon (Broadwell or Haswell)"),
        ({"cpu": "Intel Xeon", "l2_mib": ""}, None),
    ],
)
def test_names_that_machines_report_are_understood(cells: dict[str, str], expected: str | None) -> None:
    """A processor gets its known name; a hidden one is recognised by its cache, or stays unknown."""
    assert processor_name(machine(4, **cells)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AMD EPYC 7571", ("AMD", "Zen")),
        ("AMD EPYC 7R32", ("AMD", "Zen 2")),
        ("AMD EPYC 7742", ("AMD", "Zen 2")),
        ("AMD EPYC 7763", ("AMD", "Zen 3")),
        ("AMD EPYC 9R14", ("AMD", "Zen 4")),
        ("AMD EPYC 9R45", ("AMD", "Zen 5")),
        ("AMD EPYC 9J45", ("AMD", "Zen 5")),
        ("AMD EPYC 9J14", ("AMD", "Zen 4")),
        ("Intel Xeon E5-2686 v4", ("Intel", "Broadwell")),
        ("Intel Xeon Platinum 8259CL", ("Intel", "Cascade Lake")),
        ("Intel Xeon Platinum 8369HB", ("Intel", "Cooper Lake")),
        ("Intel Xeon Platinum 8375C", ("Intel", "Ice Lake")),
        ("Intel Xeon 6975P-C", ("Intel", "Granite Rapids")),
        ("AWS Graviton3E", ("AWS", "Neoverse V1")),
        ("Zilog Z80", None),
    ],
)
def test_vendor_and_microarchitecture_follow_from_the_name(name: str, expected: tuple[str, str] | None) -> None:
    """Known model numbers give the vendor and the microarchitecture."""
    assert described(name) == expected


def test_a_socket_of_which_two_cores_were_measured_is_that_of_the_largest_machine() -> None:
    """An Axion N4A has the cores of n4a-standard-64 and the bandwidth that was measured of the maker's other one."""
    arm = {"arch": "aarch64", "threads_per_core": "1", "features": "asimd sve2"}
    small = machine(2, cpu="Neoverse-N3", vcpus="2", memory_read_gbs="40", **arm)
    large = [machine(n, cpu="Google Axion", vcpus=str(n), **arm) for n in (2, 4, 8, 16, 64)]
    clocked = machine(2, cpu="AWS Graviton4", vcpus="2", **arm)
    _, axion, n4a = processors([small, *large, clocked])[:3]

    assert (axion["socket_cores"], n4a["socket_cores"]) == (96.0, 64.0)
    assert axion["socket_bandwidth_gb_s"] == n4a["socket_bandwidth_gb_s"] == pytest.approx(SOCKET_GB_S)
