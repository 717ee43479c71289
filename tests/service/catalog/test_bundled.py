"""Properties of the bundled snapshot on which everything else relies."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from plimsoll_service.catalog import snapshot, tables
from plimsoll_service.catalog.build import FIGURES
from plimsoll_service.catalog.commands import write_tables
from plimsoll_service.catalog.integrity import faults_of
from plimsoll_service.catalog.layout import SMALL_TABLES
from plimsoll_service.engine.hardware import PEAKS, Catalog

LARGEST_BYTES = 1_400_000
LARGEST_CLOUDS = {"aws", "gcp", "azure"}
# Habana published no peak rate for its first chip: it can be listed, not estimated.
NO_PEAKS = {"Gaudi"}


def test_nothing_is_wrong_with_it(bundled: Catalog) -> None:
    """Prices are above 0, indexes are valid, offers are sorted, and no promised figure is missing."""
    assert faults_of(bundled) == []


def test_it_is_as_large_as_promised(bundled: Catalog) -> None:
    """The catalog has at least 2,000 types and 50,000 offers, of the three largest clouds and six others."""
    types, offers = bundled.instance_types, bundled.offers
    with_offers = {types.cloud[int(row)] for row in np.unique(offers.instance_type)}

    assert len(types) >= 2_000
    assert len(offers) >= 50_000
    assert with_offers >= LARGEST_CLOUDS
    assert len(with_offers - LARGEST_CLOUDS) >= 6


def test_it_stays_small() -> None:
    """The file is small enough for the repository and every image."""
    assert snapshot.BUNDLED.stat().st_size <= LARGEST_BYTES


def test_it_loads_in_a_moment() -> None:
    """Loading and checking the whole catalog takes well under a second."""
    start = time.perf_counter()
    snapshot.load()

    assert time.perf_counter() - start < 1.0


def test_version_follows_from_the_content(bundled: Catalog) -> None:
    """The version is the newest price's date and a hash of the content."""
    assert bundled.version.startswith(f"{bundled.prices_as_of}-")
    assert snapshot.stamped(bundled).version == bundled.version


def test_bytes_follow_from_the_content(bundled: Catalog) -> None:
    """Writing the catalog again gives the same file, byte for byte."""
    assert snapshot.dumps(bundled) == snapshot.BUNDLED.read_bytes()


@pytest.fixture(scope="module")
def written(bundled: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the snapshot's tables."""
    folder = tmp_path_factory.mktemp("tables")
    write_tables(bundled, folder)
    return folder


@pytest.mark.parametrize("name", sorted(SMALL_TABLES))
def test_curated_tables_are_those_of_the_snapshot(written: Path, name: str) -> None:
    """The tables that are kept by hand equal the snapshot's."""
    columns = SMALL_TABLES[name]

    def content(directory: Path) -> list[object]:
        return sorted((dict(row.values) for row in tables.read(directory / name, columns).rows), key=str)

    assert content(FIGURES) == content(written)


def test_used_accelerators_can_be_estimated(bundled: Catalog) -> None:
    """Every offered accelerator has memory, bandwidth and a peak rate, except the declared one."""
    accelerators, types = bundled.accelerators, bundled.instance_types
    used = {int(row) for row in types.accelerator[np.unique(bundled.offers.instance_type)] if row >= 0}
    without = {accelerators.name[row] for row in used if np.isnan(accelerators.peak_tflops[row]).all()}

    assert without == NO_PEAKS
    assert np.isfinite(accelerators.memory_bandwidth_gb_s[sorted(used)]).all()


def test_peaks_fall_with_precision(bundled: Catalog) -> None:
    """No device multiplies fp32 faster than fp16, nor fp16 faster than fp8, where it has both."""
    column = {name: bundled.accelerators.peak_tflops[:, PEAKS.index(name)] for name in PEAKS}
    for slow, fast in (("fp64", "fp32"), ("fp32", "fp16"), ("tf32", "fp16"), ("fp16", "fp8"), ("fp8", "fp4")):
        both = np.isfinite(column[slow]) & np.isfinite(column[fast])

        assert (column[slow][both] <= column[fast][both]).all(), (slow, fast)


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("V100", "V100-16GB"),
        ("A100", "A100-40GB"),
        ("H100", "H100-SXM"),
        ("nvidia-tesla-v100", "V100-16GB"),
        ("V100 16GB SXM2", "V100-16GB"),
        ("nvidia-tesla-t4", "T4"),
    ],
)
def test_usual_spellings_name_one_accelerator(bundled: Catalog, spelling: str, expected: str) -> None:
    """An ambiguous name is an alias only of the common variant."""
    accelerators = bundled.accelerators
    found = [
        name
        for name, aliases in zip(accelerators.name, accelerators.aliases, strict=True)
        if spelling.lower() in {alias.lower() for alias in aliases}
    ]

    assert found == [expected]


def test_retired_types_are_sold_in_no_commercial_region(bundled: Catalog) -> None:
    """A retired type has current offers at most in regions that must be named."""
    offers = bundled.offers
    retired = bundled.instance_types.retired[offers.instance_type]

    assert not (retired & offers.current & ~bundled.regions.restricted[offers.region]).any()


def test_government_and_mainland_china_must_be_named(bundled: Catalog) -> None:
    """Exactly these regions are restricted; Hong Kong is not mainland China."""
    regions = bundled.regions
    restricted = {regions.name[row] for row in np.flatnonzero(regions.restricted)}

    assert {"us-gov-east-1", "us-gov-west-1", "cn-beijing", "cn-hangzhou"} <= restricted
    assert {name for name in restricted if not name.startswith(("us-gov-", "cn-"))} == set()
    assert "cn-hongkong" not in restricted


def test_prices_say_how_far_they_may_be_trusted(bundled: Catalog) -> None:
    """AWS spot is estimated, converted currency is derived, and a price without a date is undated."""
    offers, cloud = bundled.offers, bundled.instance_types.cloud
    seen = Counter(
        (cloud[int(offers.instance_type[row])], int(offers.purchase[row]), offers.confidence[row])
        for row in range(len(offers))
    )

    assert {confidence for name, purchase, confidence in seen if (name, purchase) == ("aws", 1)} == {"estimated"}
    assert {confidence for name, _, confidence in seen if name == "alibaba"} == {"derived"}
    assert {confidence for name, _, confidence in seen if name == "lambda"} == {"undated"}
    assert ("azure", 0, "list") in seen


def test_spot_never_costs_more_than_on_demand(bundled: Catalog) -> None:
    """A type with both prices in a region costs at most as much on spot as on demand."""
    offers = bundled.offers
    same = (np.diff(offers.instance_type) == 0) & (np.diff(offers.region) == 0)
    pairs = np.flatnonzero(same)

    assert len(pairs) > 0
    assert (offers.usd_per_hour[pairs + 1] <= offers.usd_per_hour[pairs]).all()


def test_every_offer_names_its_source(bundled: Catalog) -> None:
    """Every price has a source."""
    assert (bundled.offers.source.codes >= 0).all()


def test_clocks_are_those_of_all_cores(bundled: Catalog) -> None:
    """Google's page states 3.5 GHz for the Turin of C4D, not the 4.5 to 5 of two chips elsewhere (2026-04-10)."""
    clocks = dict(zip(bundled.processors.name, bundled.processors.clock_ghz, strict=True))
    assert {"AMD EPYC 9B45": 3.5, "AMD EPYC 9R45": 4.5, "Intel Xeon (Skylake)": 2.7} == {
        name: clocks[name] for name in ("AMD EPYC 9B45", "AMD EPYC 9R45", "Intel Xeon (Skylake)")
    }


def test_processors_are_complete(bundled: Catalog) -> None:
    """Every type has a processor, and every processor has all figures."""
    processors = bundled.processors
    figures = np.stack(
        [
            processors.threads_per_core,
            processors.clock_ghz,
            processors.core_bandwidth_gb_s,
            processors.socket_bandwidth_gb_s,
            processors.socket_cores,
            processors.gzip_mb_s,
        ]
    )

    assert (bundled.instance_types.processor >= 0).all()
    assert np.isfinite(figures).all()
    assert (processors.core_bandwidth_gb_s <= processors.socket_bandwidth_gb_s).all()


@pytest.mark.parametrize(
    ("name", "expected"),
    [("AMD EPYC 7763", "Zen 3"), ("AWS Graviton4", "Neoverse V2"), ("Intel Xeon Platinum 8175M", "Skylake")],
)
def test_processors_name_their_microarchitecture(bundled: Catalog, name: str, expected: str) -> None:
    """A processor can be found by its name and by its microarchitecture."""
    processors = bundled.processors

    assert processors.microarchitecture[processors.name.index(name)] == expected


def test_each_large_cloud_has_a_disk_of_each_common_class(bundled: Catalog) -> None:
    """A cloud has at most one product for a generic class, and exactly one for SSD and HDD."""
    disks = bundled.disks
    defaults = Counter((disks.cloud[row], disks.type[row]) for row in np.flatnonzero(disks.default))

    assert set(defaults.values()) == {1}
    assert {(cloud, kind) for cloud in LARGEST_CLOUDS for kind in ("ssd", "balanced", "hdd")} <= set(defaults)
