"""The import of collected figures, on a few rows that show each doubt."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from gathered.catalog.__main__ import main
from gathered.catalog.gathered import HARDWARE_COLUMNS, OFFER_COLUMNS

from plimsoll_service.catalog.build import build
from plimsoll_service.catalog.commands import Report
from plimsoll_service.catalog.faults import CatalogError

Rows = list[dict[str, str]]
AWS_LIST = "karpenter-aws;spec=moto5.2.5(2026-10)"
AWS_SPOT = "libcloud-family-derived+spotinfo2025-07-savings;spec=moto5.2.5(2026-10)"
M5 = {
    "cloud": "aws", "instance_type": "m5.large", "vcpus": "2", "memory_gib": "8", "arch": "x86_64", "cpu": "Intel",
    "region": "us-east-1", "price_usd_hour": "0.096", "as_of": "2026-07-20", "source": AWS_LIST,
}  # fmt: skip
P3 = M5 | {
    "instance_type": "p3.8xlarge", "vcpus": "32", "memory_gib": "244", "accelerator": "V100-16GB",
    "accelerator_count": "4", "accelerator_memory_gib": "16", "network_gbps": "3.125", "price_usd_hour": "12.24",
}  # fmt: skip
MEASURED = {
    "cloud": "aws", "instance_type": "m5.large", "cpu": "Intel Xeon Platinum 8175M", "arch": "x86_64",
    "features": "avx2 avx512f", "vcpus": "2", "sockets": "1", "cores_per_socket": "1", "threads_per_core": "2",
    "memory_read_gbs": "13.5", "gzip5_mb_s_1thread": "23.8", "boot_seconds": "31",
}  # fmt: skip


@pytest.fixture
def figures(tmp_path: Path) -> Callable[[Rows], tuple[Report, Path]]:
    """Write collected offers beside one measured machine, import them, and return the result and its folder."""

    def run(rows: Rows) -> tuple[Report, Path]:
        source, output = tmp_path / "gathered", tmp_path / "csv"
        source.mkdir(exist_ok=True)
        write(source / "offers_some.csv.gz", OFFER_COLUMNS, rows)
        write(source / "instance_hardware.csv.gz", HARDWARE_COLUMNS, [MEASURED])
        return main(source, output), output

    return run


def write(path: Path, columns: tuple[str, ...], rows: Rows) -> None:
    """A collected file, in which unknown cells are empty."""
    with gzip.open(path, "wt", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def written(output: Path, name: str) -> Rows:
    """The rows of a written table."""
    with (output / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_what_is_written_builds(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """The written directory builds without a fault."""
    report, output = figures([M5, P3])
    catalog, rejected = build(output)

    assert rejected == []
    assert catalog.instance_types.name == ("m5.large", "p3.8xlarge")
    assert (report.instance_types, report.offers, report.rejected) == ({"aws": 2}, {"aws": 2}, ())


def test_measured_machine_gives_processor_and_boot_time(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """A type and its siblings in the family have the measured processor and start-up time."""
    _, output = figures([M5, M5 | {"instance_type": "m5.xlarge", "vcpus": "4"}])
    found = [(row["processor"], row["boot_seconds"]) for row in written(output, "instance_types.csv")]

    assert found == [("Intel Xeon Platinum 8175M", "31")] * 2


def test_burstable_type_is_written_with_its_baseline(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """A burstable type is written with its baseline beside its vCPUs; other types can use all of theirs."""
    _, output = figures([M5, M5 | {"instance_type": "t3a.small", "memory_gib": "2"}])
    found = [
        (row["instance_type"], row["vcpus"], row["sustained_cpu"]) for row in written(output, "instance_types.csv")
    ]

    assert found == [("m5.large", "2", "1"), ("t3a.small", "2", "0.2")]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"vcpus": ""}, "the number of vCPUs is unknown"),
        ({"memory_gib": ""}, "the memory is unknown"),
        ({"accelerator_count": ""}, "the number of accelerators ('V100-16GB') is unknown"),
        ({"accelerator": "vGPU8"}, "accelerator 'vGPU8' has no specification"),
        ({"accelerator": "U30"}, "accelerator 'U30' has no specification"),
        (
            {"accelerator_memory_gib": "24"},
            "accelerator 'V100-16GB' does not have 24 GiB, so that it is another device",
        ),
        (
            {"instance_type": "f1.2xlarge", "accelerator": "", "accelerator_count": ""},
            "is a machine with programmable chips or video cards, not with an accelerator for machine learning",
        ),
    ],
)
def test_unusable_hardware_is_left_out_by_name(
    figures: Callable[[Rows], tuple[Report, Path]], change: dict[str, str], reason: str
) -> None:
    """A row with unknown hardware or accelerator is rejected with file, line, name and reason."""
    report, output = figures([M5, P3 | change])
    name = change.get("instance_type", "p3.8xlarge")

    assert [str(row) for row in report.rejected] == [f"offers_some.csv.gz:3: aws/{name}/us-east-1: {reason}"]
    assert [row["instance_type"] for row in written(output, "instance_types.csv")] == ["m5.large"]


def test_slip_of_a_price_list_is_left_out(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """A price below half of the second cheapest region's is rejected by name; others stay."""
    prices = {"us-east-1": "0.04", "us-east-2": "0.096", "eu-west-1": "0.107"}
    report, output = figures([M5 | {"region": region, "price_usd_hour": usd} for region, usd in prices.items()])

    assert [row["region"] for row in written(output, "offers-aws.csv")] == ["us-east-2", "eu-west-1"]
    assert str(report.rejected[0]) == (
        "offers_some.csv.gz:2: aws/m5.large/us-east-1: 0.04 USD is under half of the second cheapest region's "
        "0.096 USD, a slip of the list"
    )


def test_missing_price_is_counted_and_never_zero(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """A region without a known price counts as unpriced, and has no offer."""
    rows = [M5, M5 | {"region": "eu-west-1", "price_usd_hour": "", "source": "moto-offering(no price)"}]
    _, output = figures(rows)

    assert [row["unpriced_regions"] for row in written(output, "instance_types.csv")] == ["1"]
    assert [row["region"] for row in written(output, "offers-aws.csv")] == ["us-east-1"]


def test_spot_from_average_savings_is_an_estimate(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """AWS spot is an estimate, with the older date of its two figures."""
    _, output = figures([M5 | {"spot_usd_hour": "0.04", "source": AWS_SPOT}])
    found = [(row["purchase"], row["confidence"], row["as_of"]) for row in written(output, "offers-aws.csv")]

    assert found == [("on_demand", "derived", "2026-07-20"), ("spot", "estimated", "2025-07-28")]


def test_spot_above_the_list_price_is_left_out(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """A spot price above the list price is rejected, and the list price stays."""
    report, output = figures([M5 | {"spot_usd_hour": "0.2", "source": AWS_SPOT}])

    assert [row["purchase"] for row in written(output, "offers-aws.csv")] == ["on_demand"]
    assert report.rejected[0].reason == "aws/m5.large/us-east-1: spot at 0.2 USD is above the list price 0.096 USD"


def test_type_is_retired_when_all_commercial_regions_dropped_it(
    figures: Callable[[Rows], tuple[Report, Path]],
) -> None:
    """A type stays if one commercial region sells it; a government region does not count."""
    gone = {"source": f"{AWS_LIST};not-offered-2026-10"}
    kept = M5 | {"instance_type": "m5.xlarge"}
    rows = [
        M5 | gone,
        M5 | {"region": "us-gov-west-1"},
        kept | gone,
        kept | {"region": "eu-west-1"},
    ]
    _, output = figures(rows)

    assert [row["retired"] for row in written(output, "instance_types.csv")] == ["true", "false"]
    assert [row["current"] for row in written(output, "offers-aws.csv")] == ["false", "true", "false", "true"]


def test_known_network_figure_replaces_a_wrong_one(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """The provider's figure takes precedence over the collected one, and NVLink follows from the card."""
    _, output = figures([P3])
    row = written(output, "instance_types.csv")[0]

    assert (row["network_gbps"], row["interconnect"], row["interconnect_gb_s"]) == ("10", "nvlink", "300")


def test_machine_that_nobody_measured_has_the_processor_of_its_page(
    figures: Callable[[Rows], tuple[Report, Path]],
) -> None:
    """Azure's page of the series names it; the processor's row comes from the project's own figures."""
    _, output = figures([M5 | {"cloud": "azure", "instance_type": "Standard_HB176rs_v4", "region": "eastus"}])
    processors = {row["name"] for row in written(output, "processors.csv")}

    assert written(output, "instance_types.csv")[0]["processor"] == "AMD EPYC 9V33X"
    assert {"AMD EPYC 9V33X", "Intel Xeon Platinum 8175M"} <= processors


def test_flexible_shape_has_its_share_of_the_network(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """Oracle gives 1 Gbit/s to each OCPU, which is two vCPUs of AmpereOne."""
    _, output = figures([M5 | {"cloud": "oci", "instance_type": "VM.Standard.A2.Flex$_4ocpu_16gb", "vcpus": "8"}])

    assert written(output, "instance_types.csv")[0]["network_gbps"] == "4"


def test_flexible_shape_of_oracle_has_its_processor_and_no_measured_one(
    figures: Callable[[Rows], tuple[Report, Path]],
) -> None:
    """Oracle's page names it: EPYC 9J14 in E5, whose row comes from the project's own figures."""
    shape = {"cloud": "oci", "instance_type": "VM.Standard.E5.Flex$_4ocpu_16gb", "vcpus": "8", "region": "all"}
    _, output = figures([M5 | shape])

    assert written(output, "instance_types.csv")[0]["processor"] == "AMD EPYC 9J14"
    assert "AMD EPYC 9J14" in {row["name"] for row in written(output, "processors.csv")}


def test_slice_of_a_card_is_a_fraction(figures: Callable[[Rows], tuple[Report, Path]]) -> None:
    """The share of the card is counted, not Alibaba's number of vGPU slices."""
    rows = [
        P3
        | {
            "cloud": "alibaba",
            "instance_type": "ecs.sgn7i-vws-m8.4xlarge",
            "region": "cn-hongkong",
            "accelerator": "A10",
            "accelerator_count": "1",
            "accelerator_memory_gib": "8",
            "source": "karpenter-alibabacloud CNY/7.25;spec=sparecores(2026-01)",
        }
    ]
    _, output = figures(rows)
    row = written(output, "instance_types.csv")[0]

    assert float(row["accelerator_count"]) == pytest.approx(1 / 3)
    assert float(row["accelerator_memory_gib"]) == pytest.approx(8)
    assert row["interconnect"] == ""


def test_missing_column_is_named(tmp_path: Path) -> None:
    """A collected file of another layout is refused with its missing columns."""
    write(tmp_path / "offers_some.csv.gz", OFFER_COLUMNS[:-1], [])
    with pytest.raises(CatalogError, match=r"offers_some\.csv\.gz: the column 'source' is missing"):
        main(tmp_path, tmp_path / "csv")


def test_missing_file_is_named(tmp_path: Path) -> None:
    """Without collected offers, nothing is written."""
    with pytest.raises(CatalogError, match=r"offers_\*\.csv\.gz is missing"):
        main(tmp_path, tmp_path / "csv")

    assert list(tmp_path.iterdir()) == []
