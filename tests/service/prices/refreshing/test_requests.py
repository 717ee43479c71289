"""What feeds are told of the catalog."""

from __future__ import annotations

from tests.service.prices.tables import CATALOG, offers_in

from plimsoll_service.prices.refreshing.requests import Asking, cloud_facts
from plimsoll_service.prices.snapshots import join

ASKING = Asking(cloud_facts(CATALOG), {"KEY": "value"}, {"CNY": 7.25})


def test_a_request_names_the_clouds_own():
    """Regions, types and products of the cloud asked for, and of no other."""
    request = ASKING.request("aws", ["us-east-1"], base_url="http://h")

    assert ("aws", ("us-east-1",), "http://h") == (request.cloud, request.regions, request.base_url)
    assert "us-east-1" in request.known_regions
    assert "us-central1" not in request.known_regions
    assert {"gp3", "io2"} <= request.products
    assert "pd-ssd" not in request.products
    assert "n1-standard-8" not in request.types
    assert ({"KEY": "value"}, {"CNY": 7.25}) == (request.environment, request.units_per_usd)
    assert "gcp" in request.clouds


def test_a_type_is_told_with_its_figures():
    """What a price composed of parts needs."""
    facts = ASKING.request("aws").types["g5.12xlarge"]

    assert (48.0, 192.0, 4.0, False) == (facts.vcpus, facts.memory_gib, facts.accelerator_count, facts.retired)
    assert "A10G" in (facts.accelerator or "")
    sold = {key[2] for key in offers_in(join.table_of(CATALOG), current=True) if key[:2] == ("aws", "g5.12xlarge")}
    assert sold == facts.regions
    assert ASKING.request("aws").types["m5.large"].accelerator is None


def test_a_cloud_that_the_catalog_lacks_has_nothing():
    """A feed without a cloud of its own is told of all the others."""
    request = ASKING.request("file")

    assert (frozenset(), {}, frozenset()) == (request.known_regions, request.types, request.products)
    assert ASKING.clouds == request.clouds
