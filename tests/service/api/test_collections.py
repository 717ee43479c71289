"""The collections: items, filters, pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

COLLECTIONS = (
    "/v1/instance-types",
    "/v1/accelerators",
    "/v1/models",
    "/v1/frameworks",
    "/v1/regions",
    "/v1/disks",
    "/v1/prices",
    "/v1/rules",
)
PROMISED = {
    "/v1/instance-types": {
        "cloud", "instance_type", "family", "retired", "vcpus", "memory_gib", "architecture", "cpu", "cpu_vendor",
        "accelerator", "interconnect", "network_gbps", "local_disk_gb",
    },
    "/v1/accelerators": {
        "name", "aliases", "vendor", "generation", "memory_gib", "memory_bandwidth_gb_s", "precisions", "interconnect",
        "power_w",
    },
    "/v1/models": {"name", "aliases", "family", "parameters", "sample"},
    "/v1/prices": {
        "usd_per_hour", "as_of", "source", "stale", "confidence", "cloud", "region", "instance_type", "purchase",
    },
    "/v1/rules": {"id", "statement", "reason", "source"},
}  # fmt: skip


def pages(client: FlaskClient, link: str | None) -> Iterator[Any]:
    """All pages from a link."""
    while link:
        page = client.get(link).json
        yield page
        link = page["next"]


def items(client: FlaskClient, link: str) -> list[Any]:
    """The items of one page."""
    found: list[Any] = client.get(link).json["items"]
    return found


@pytest.mark.parametrize("route", COLLECTIONS)
def test_a_collection_is_whole_over_its_pages(client: FlaskClient, route: str) -> None:
    """Following `next` gives every item once, in the order of one large page."""
    whole = client.get(f"{route}?limit=1000").json
    first, second = [page for page, _ in zip(pages(client, f"{route}?limit=7"), range(2), strict=False)]

    assert first["total"] == whole["total"]
    assert first["items"] + second["items"] == whole["items"][:14]


def test_the_last_page_leads_nowhere(client: FlaskClient) -> None:
    """`next` is null at the end, and the pages have the total."""
    all_pages = list(pages(client, "/v1/regions?limit=50"))

    assert all_pages[-1]["next"] is None
    assert sum(len(page["items"]) for page in all_pages) == all_pages[0]["total"]


def test_a_link_keeps_the_filters(client: FlaskClient) -> None:
    """The second page has the same filters."""
    _, second = [page for page, _ in zip(pages(client, "/v1/prices?cloud=gcp&limit=3"), range(2), strict=False)]

    assert {item["cloud"] for item in second["items"]} == {"gcp"}


@pytest.mark.parametrize("cursor", ["x", "!!", "MTIz", "b3RoZXI6MTA", "é"])
def test_a_made_up_cursor_is_refused(client: FlaskClient, cursor: str) -> None:
    """An invented cursor is refused, and so is one of another version of the collection."""
    response = client.get("/v1/regions", query_string={"cursor": cursor})

    assert [error["pointer"] for error in response.json["errors"]] == ["cursor"]


@pytest.mark.parametrize(("route", "promised"), PROMISED.items())
def test_items_have_what_clients_rely_on(client: FlaskClient, route: str, promised: set[str]) -> None:
    """Items have the contract's names."""
    assert promised <= set(items(client, f"{route}?limit=1")[0])


@pytest.mark.parametrize("limit", ["0", "1001", "x", "1.5"])
def test_a_limit_has_bounds(client: FlaskClient, limit: str) -> None:
    """A limit is from 1 to 1,000."""
    assert client.get(f"/v1/regions?limit={limit}").status_code == 422


@pytest.mark.parametrize("route", COLLECTIONS)
def test_an_unknown_filter_is_refused(client: FlaskClient, route: str) -> None:
    """A misspelt filter does not silently list everything."""
    response = client.get(f"{route}?limitt=3")

    assert response.status_code == 422
    assert "'limit'" in response.json["errors"][0]["detail"]


def test_instance_types_are_filtered_by_their_hardware(client: FlaskClient) -> None:
    """All filters apply together, in any usual spelling."""
    query = "cloud=AWS,gcp&accelerator=nvidia-tesla-v100&min_vcpus=8&max_vcpus=64"

    found = items(client, f"/v1/instance-types?{query}&min_accelerator_count=2&interconnect=nvlink")

    assert found
    for item in found:
        assert item["cloud"] in ("aws", "gcp")
        assert item["accelerator"]["name"] == "V100-16GB"
        assert item["accelerator"]["count"] >= 2
        assert 8 <= item["vcpus"] <= 64
        assert item["interconnect"] == "nvlink"


@pytest.mark.parametrize(
    ("filters", "field", "allowed"),
    [
        ("cpu=amd epyc 7763", "cpu", {"AMD EPYC 7763"}),
        ("cpu=Milan-x,AWS Graviton4&cloud=aws", "cpu", None),
        ("cpu=AWS Graviton4,Intel Xeon E5-2686 v4", "cpu", {"AWS Graviton4", "Intel Xeon E5-2686 v4"}),
        ("local_disk_type=nvme", "local_disk_type", {"nvme"}),
        ("local_disk_type=none", "local_disk_type", {None}),
    ],
)
def test_every_attribute_of_the_hardware_is_a_filter(
    client: FlaskClient, filters: str, field: str, allowed: set[str | None] | None
) -> None:
    """Processors and local disks are filters too; a word that names none is a fault."""
    answer = client.get(f"/v1/instance-types?limit=1000&{filters}")

    if allowed is None:
        assert (422, field) == (answer.status_code, answer.json["errors"][0]["pointer"])
    else:
        assert allowed == {item[field] for item in answer.json["items"]}


def test_a_microarchitecture_stands_for_its_processors(client: FlaskClient) -> None:
    """A microarchitecture finds its processors, as in the description of a machine."""
    found = {item["cpu"] for item in items(client, "/v1/instance-types?cpu=broadwell&cloud=aws")}

    assert "Intel Xeon E5-2686 v4" in found
    assert "AWS Graviton4" not in found


def test_sizes_take_a_unit(client: FlaskClient) -> None:
    """A bare number is in the unit of the field's name."""
    totals = [
        client.get(f"/v1/instance-types?{query}").json["total"]
        for query in ("min_memory_gib=512", "min_memory_gib=512GiB", "min_memory_gib=0.5TiB", "min_memory_gib=0")
    ]

    assert totals[0] == totals[1] == totals[2] < totals[3]


def test_machines_without_accelerators_can_be_asked_for(client: FlaskClient) -> None:
    """Machines without accelerators are found by `accelerator=none` or by a ceiling of 0."""
    by_name = client.get("/v1/instance-types?accelerator=none").json["total"]
    by_count = client.get("/v1/instance-types?max_accelerator_count=0").json["total"]

    assert by_name == by_count > 0


def test_burstable_types_are_told_from_full_machines(client: FlaskClient) -> None:
    """An item states the share of its vCPUs for continuous use, which is also a filter."""
    small = client.get("/v1/instance-types/aws/t3a.small").json
    shares = {
        end: {item["sustained_cpu"] for item in items(client, f"/v1/instance-types?cloud=aws&family=t3,m5&{end}")}
        for end in ("min_sustained_cpu=1", "max_sustained_cpu=0.3")
    }

    assert (small["vcpus"], small["sustained_cpu"]) == (2, 0.2)
    assert shares == {"min_sustained_cpu=1": {1}, "max_sustained_cpu=0.3": {0.05, 0.1, 0.2, 0.3}}


def test_a_part_of_the_name_finds_instance_types(client: FlaskClient) -> None:
    """`q` searches in the names."""
    names = {item["instance_type"] for item in items(client, "/v1/instance-types?q=P3.2&cloud=aws")}

    assert names == {"p3.2xlarge"}


def test_faults_of_names_and_of_filters_come_together(client: FlaskClient) -> None:
    """An unknown cloud and a misspelt filter are reported together."""
    response = client.get("/v1/instance-types?min_vcpu=3&cloud=asw&family=zz&min_memory_gib=x")

    assert {error["pointer"] for error in response.json["errors"]} == {"min_vcpu", "cloud", "family", "min_memory_gib"}


def test_an_instance_type_comes_with_its_offers(client: FlaskClient) -> None:
    """Offers are listed by region and purchase option, each with the source of its price."""
    found = client.get("/v1/instance-types/aws/p3.2xlarge").json

    assert (found["instance_type"], found["accelerator"]["name"]) == ("p3.2xlarge", "V100-16GB")
    assert {offer["purchase"] for offer in found["offers"]} == {"on_demand", "spot"}
    assert all(offer["usd_per_hour"] > 0 and offer["source"] for offer in found["offers"])


def test_prices_are_looked_up_by_all_four_names(client: FlaskClient) -> None:
    """One machine, region and purchase option have one price."""
    query = "cloud=aws&region=us-east-1&instance_type=g4dn.xlarge&purchase=on_demand"

    (price,) = items(client, f"/v1/prices?{query}")

    assert (price["region"], price["instance_type"], price["stale"]) == ("us-east-1", "g4dn.xlarge", False)


def test_an_unknown_name_of_a_price_is_refused(client: FlaskClient) -> None:
    """A misspelt region is refused, and does not look like a region without prices."""
    response = client.get("/v1/prices?region=westeurop")

    assert "'westeurope'" in response.json["errors"][0]["detail"]


def test_accelerators_list_only_the_precisions_that_they_have(client: FlaskClient) -> None:
    """A K80 has no fp16, and no null in its place."""
    accelerators = {item["name"]: item for item in items(client, "/v1/accelerators?limit=1000")}

    assert set(accelerators["K80"]["precisions"]) == {"fp64", "fp32"}


def test_a_rule_is_found_by_its_id(client: FlaskClient) -> None:
    """Each rule of the list has its own address."""
    for rule in items(client, "/v1/rules?limit=1000"):
        assert client.get(f"/v1/rules/{rule['id']}").json == rule


def test_small_collections_are_filtered_by_their_words(client: FlaskClient) -> None:
    """Filters of small collections ignore the case of a word."""
    assert {item["vendor"] for item in items(client, "/v1/accelerators?vendor=amd")} == {"AMD"}
    assert {item["restricted"] for item in items(client, "/v1/regions?restricted=true")} == {True}
    assert {item["type"] for item in items(client, "/v1/disks?type=ssd,hdd")} == {"ssd", "hdd"}
