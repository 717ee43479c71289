"""Facts of the catalog for feeds."""

from __future__ import annotations

from tests.service.prices.tables import CATALOG, offers_in

from plimsoll_service.prices.feeds.feed import FeedRequest
from plimsoll_service.prices.refreshing.facts import cloud_facts
from plimsoll_service.prices.snapshots import join

CLOUDS = cloud_facts(CATALOG)


def test_a_request_names_the_clouds_own():
    """A request has only the regions, types and products of its own cloud."""
    request = FeedRequest("aws", ("us-east-1",), CLOUDS)

    assert "us-east-1" in request.known_regions
    assert "us-central1" not in request.known_regions
    assert {"gp3", "io2"} <= request.products
    assert "pd-ssd" not in request.products
    assert "n1-standard-8" not in request.types


def test_a_type_is_told_with_its_figures():
    """A type has the figures that a price composed of parts needs."""
    types = CLOUDS["aws"].types
    facts = types["g5.12xlarge"]

    assert (48.0, 192.0, 4.0, False) == (facts.vcpus, facts.memory_gib, facts.accelerator_count, facts.retired)
    assert "A10G" in (facts.accelerator or "")
    sold = {key[2] for key in offers_in(join.table_of(CATALOG), current=True) if key[:2] == ("aws", "g5.12xlarge")}
    assert sold == facts.regions
    assert types["m5.large"].accelerator is None


def test_a_cloud_that_the_catalog_lacks_has_nothing():
    """A feed without a cloud of its own gets the facts of all clouds."""
    request = FeedRequest("file", clouds=CLOUDS)

    assert (frozenset(), {}, frozenset()) == (request.known_regions, request.types, request.products)
    assert "gcp" in request.clouds
