"""Machine prices as sums of part prices, against the bundled catalog's prices of whole machines."""

from __future__ import annotations

import pytest
from tests.service.prices.feeds.gcp.price_list import BELGIUM, FEED, IOWA, facts, n1, paged, prices, request, sku
from tests.service.prices.feeds.loopback import Provider
from tests.service.prices.tables import priced, unpriced

from plimsoll_service.catalog.snapshot import load
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog
from plimsoll_service.prices.feeds.feed import TypeFacts
from plimsoll_service.prices.feeds.gcp.machines import is_tpu, recipes

# On-demand prices of vCPU and GiB in Iowa, USD an hour, that solve the bundled prices of whole machines; those of N1,
# N2 and E2 are also what Google Cloud states.
PARTS = {
    "N1 Predefined": (0.031611, 0.004237),
    "N2": (0.031611, 0.004237),
    "N2D AMD": (0.027502, 0.003686),
    "N4": (0.03119, 0.00354),
    "E2": (0.02181159, 0.00292353),
    "C2D AMD": (0.029563, 0.003959),
    "C3": (0.03465, 0.003938),
    "C3D": (0.029563, 0.003959),
    "C4": (0.03465, 0.003938),
    "C4A Arm": (0.03086, 0.00351),
    "T2D AMD": (0.027502, 0.003686),
    "A2": (0.031611, 0.004237),
    "M3 Memory-optimized": (0.0348, 0.0051),
    "Memory-optimized": (0.0348, 0.0051),
}
OTHER_SKUS = [
    sku("Compute optimized Core running in Americas", 0.033982),
    sku("Compute optimized Ram running in Americas", 0.004555),
    # Per decimal GB, as Google lists C4D's memory: 0.0037533 a GiB.
    sku("C4D Instance Core", 0.0327035),
    sku("C4D Instance Ram", 0.003495578, unit="GBy.h"),
    # M2 pays 13% on top of the memory-optimized price.
    sku("Memory Optimized Upgrade Premium for Memory-optimized Instance Core running in Americas", 0.004524),
    sku("Memory Optimized Upgrade Premium for Memory-optimized Instance Ram running in Americas", 0.000663),
    sku("Micro Instance with burstable CPU running in Americas", 0.0076),
    sku("Small Instance with 1 VCPU running in Americas", 0.0257),
    sku("SSD backed Local Storage in Iowa", 0.08, unit="GiBy.mo"),
    sku("C4 Instance Local SSD", 0.16, unit="GiBy.mo"),
    sku("C4A Instance Local SSD", 0.12, unit="GiBy.mo"),
    sku("C4D Instance Local SSD", 0.16, unit="GiBy.mo"),
    sku("Nvidia Tesla T4 GPU", 0.35),
    sku("Nvidia Tesla V100 GPU", 2.48),
    sku("Nvidia Tesla P100 GPU", 1.46),
    sku("Nvidia Tesla A100 GPU", 2.933908),
    sku("Nvidia Tesla A100 80GB GPU", 3.92808),
]
COMPOSED = [
    "n1-standard-4", "n1-highmem-96", "n1-standard-8+nvidia-tesla-t4x2", "n1-highmem-16+nvidia-tesla-v100x4",
    "n1-standard-4+nvidia-tesla-p100x1", "n2-highcpu-16", "n2d-standard-224", "n4-standard-8", "e2-standard-8",
    "e2-micro", "e2-small", "e2-medium", "f1-micro", "g1-small", "c2-standard-8", "c2d-highmem-56", "c3-standard-176",
    "c3-standard-192-metal", "c3-standard-8-lssd", "c3d-highmem-90-lssd", "c4-highmem-96", "c4-standard-32-lssd",
    "c4-standard-288-lssd-metal", "c4a-standard-8", "c4a-highmem-64-lssd", "c4d-highcpu-384", "c4d-standard-48-lssd",
    "t2d-standard-60", "m1-megamem-96", "m2-ultramem-416", "m3-megamem-64", "a2-highgpu-8g", "a2-megagpu-16g",
    "a2-ultragpu-4g",
]  # fmt: skip


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """The bundled catalog, whose GCP prices come from another project's reading of Google's list."""
    return load()


def _known(catalog: Catalog, name: str) -> TypeFacts:
    types = catalog.instance_types
    row = next(row for row, found in enumerate(types.name) if found == name and types.cloud[row] == "gcp")
    device = int(types.accelerator[row])
    return facts(
        float(types.vcpus[row]),
        float(types.memory_gib[row]),
        None if device < 0 else catalog.accelerators.name[device],
        float(types.accelerator_count[row]),
        float(types.local_disk_gb[row]),
    )


def _bundled(catalog: Catalog) -> dict[str, float]:
    """On-demand prices in Iowa by instance type."""
    offers, on_demand = catalog.offers, PURCHASE_NAMES.index("on_demand")
    iowa = catalog.regions.name.index(IOWA)
    rows = ((offers.region == iowa) & (offers.purchase == on_demand) & offers.current).nonzero()[0]
    return {catalog.instance_types.name[offers.instance_type[row]]: float(offers.usd_per_hour[row]) for row in rows}


def _part_list() -> list[dict]:
    cores = [sku(f"{family} Instance Core running in Americas", core) for family, (core, _) in PARTS.items()]
    rams = [sku(f"{family} Instance Ram running in Americas", ram) for family, (_, ram) in PARTS.items()]
    return [*cores, *OTHER_SKUS, *rams]


def test_part_prices_make_the_bundled_machine_prices(provider: Provider, catalog: Catalog):
    """Every kind of family, summed from its parts, has the bundled price, to its six decimals."""
    found = prices(provider, _part_list(), {name: _known(catalog, name) for name in COMPOSED})

    bundled = _bundled(catalog)
    expected = {(name, IOWA, "on_demand"): pytest.approx(bundled[name], abs=1e-6) for name in COMPOSED}
    assert expected == found


def test_every_offered_type_has_a_sum(catalog: Catalog):
    """Every type with a current price has a sum of parts, except TPUs."""
    types, offers = catalog.instance_types, catalog.offers
    rows = sorted({int(row) for row in offers.instance_type[offers.current] if types.cloud[int(row)] == "gcp"})
    known = {types.name[row]: _known(catalog, types.name[row]) for row in rows}

    missing = [name for name, found in known.items() if not recipes(name, found)]

    assert len(known) > 600
    assert [] == [name for name in missing if not is_tpu(known[name])]


def test_a3_mega_pays_its_own_prices_where_they_are_listed(provider: Provider):
    """A3 Mega has its own device; if its cores are listed as A3, those count."""
    both = (IOWA, BELGIUM)
    skus = [
        sku("A3 Instance Core", 0.05, both),
        sku("A3 Instance Ram", 0.005, both),
        sku("A3Plus Instance Core", 0.03),
        sku("A3Plus Instance Ram", 0.003),
        sku("Nvidia H100 80GB GPU", 9.0, both),
        sku("Nvidia H100 80GB Plus GPU", 10.0, both),
        sku("SSD backed Local Storage in Iowa", 0.073, both, unit="GiBy.mo"),
    ]

    found = prices(provider, skus, {"a3-megagpu-8g": facts(208, 1872, "H100-SXM", 8, 6000, both)})

    disks = 6000 * 0.073 / 730
    assert {
        ("a3-megagpu-8g", IOWA, "on_demand"): pytest.approx(208 * 0.03 + 1872 * 0.003 + 80 + disks),
        ("a3-megagpu-8g", BELGIUM, "on_demand"): pytest.approx(208 * 0.05 + 1872 * 0.005 + 80 + disks),
    } == found


def test_a4_is_paid_by_the_device_alone(provider: Provider):
    """A4's SKU holds a device's share of the machine; spot says so only in its description."""
    slices = [
        sku("A4 Nvidia B200 (1 gpu slice)", 16.11),
        sku("Spot Preemptible A4 Nvidia B200 (1 gpu slice)", 4.9542),
    ]

    found = prices(provider, slices, {"a4-highgpu-8g": facts(224, 3968, "B200", 8, 12000)})

    assert {"on_demand": pytest.approx(128.88), "spot": pytest.approx(39.6336)} == {
        purchase: price for (_, _, purchase), price in found.items()
    }


def test_a_share_of_a_device_is_paid_as_a_share(provider: Provider):
    """G4's smallest machine has an eighth of a device; optional disks are not in its price."""
    skus = [
        sku("G4 Instance Core", 0.02),
        sku("G4 Instance Ram", 0.002),
        sku("RTX 6000 96GB", 3.2),
        sku("SSD backed Local Storage in Iowa", 0.08, unit="GiBy.mo"),
    ]
    types = {
        "g4-standard-6": facts(6, 22, "RTX-PRO-6000", 0.125),
        "g4-standard-48": facts(48, 180, "RTX-PRO-6000", 1, 1500),
    }

    found = prices(provider, skus, types)

    assert pytest.approx(6 * 0.02 + 22 * 0.002 + 0.4) == found["g4-standard-6", IOWA, "on_demand"]
    assert pytest.approx(48 * 0.02 + 180 * 0.002 + 3.2) == found["g4-standard-48", IOWA, "on_demand"]


def test_a_family_pays_for_its_own_local_disks(provider: Provider):
    """Z3 falls back to the general price of local disks; C4, whose disks cost more, then has no price."""
    both = (IOWA, BELGIUM)
    skus = [
        *(sku(f"{family} Instance {part}", 0.01, both) for family in ("Z3", "C4") for part in ("Core", "Ram")),
        sku("Z3 Instance Local SSD", 0.146, (BELGIUM,), unit="GiBy.mo"),
        sku("C4 Instance Local SSD", 0.146, (BELGIUM,), unit="GiBy.mo"),
        sku("SSD backed Local Storage in Iowa", 0.073, both, unit="GiBy.mo"),
    ]
    types = {
        "z3-highmem-14-standardlssd": facts(14, 112, disk_gb=3000, regions=both),
        "c4-standard-4-lssd": facts(4, 15, disk_gb=375, regions=both),
    }

    found = prices(provider, skus, types)

    assert {
        ("z3-highmem-14-standardlssd", IOWA, "on_demand"): pytest.approx(1.26 + 0.3),
        ("z3-highmem-14-standardlssd", BELGIUM, "on_demand"): pytest.approx(1.26 + 0.6),
        ("c4-standard-4-lssd", BELGIUM, "on_demand"): pytest.approx(0.19 + 0.075),
    } == found


def test_local_disks_of_unknown_size_make_no_price(provider: Provider):
    """A type with local disks of unknown size keeps its last good price."""
    types = {"n1-standard-4": facts(), "n1-standard-4-lssd": facts()}
    paged(provider, n1())

    found = FEED.fetch(request(provider, types))

    assert ["n1-standard-4"] == [name for _, name, *_ in priced(found)]
    assert {("gcp", "n1-standard-4-lssd", IOWA, "on_demand")} == unpriced(found)


def test_look_alikes_change_no_price(provider: Provider):
    """Custom machines, sole tenancy, commitments, reservations and flex-start change no price."""
    look_alikes = [
        sku("N1 Sole Tenancy Instance Core", 9.0),
        sku("Custom Instance Core", 9.0),
        sku("N1 Custom Instance Ram", 9.0),
        sku("Commitment v1: Cpu in Americas for 1 Year", 9.0, usage="Commit1Yr"),
        sku("Commitment v1: N1 Predefined Instance Core in Americas for 5 Years", 9.0),
        sku("N1 Predefined Instance Core running in Americas in Calendar Mode", 9.0),
        sku("Nvidia Tesla T4 GPU attached to DWS Defined Duration VMs running in Americas", 9.0),
    ]
    types = {"n1-standard-4": facts(), "n1-standard-4+nvidia-tesla-t4x1": facts(accelerator="T4", count=1)}

    found = prices(provider, [*look_alikes, *n1(), sku("Nvidia Tesla T4 GPU", 0.35), *look_alikes], types)

    assert [0.189999, 0.539999] == pytest.approx(list(found.values()))
