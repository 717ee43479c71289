"""Offer files of any size are read piece by piece."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator

import pytest
from tests.service.prices.feeds.aws.documents import (
    REGION,
    machine,
    offer_json,
    request_to,
    serve,
    without_credentials,
)
from tests.service.prices.feeds.loopback import Provider

from plimsoll_service.prices.feeds.aws import FEED

LARGE_BYTES = 20 << 20
MOST_BYTES = 12 << 20  # twice what a megabyte of the download, a product or a row in hand come to
OTHERS = 200
PADDING = {f"attribute{number}": "as long as a usual value" for number in range(40)}
WANTED = machine("WANTED")


def products_and_terms() -> list[tuple[str, str, str]]:
    """Products beside the one wanted, as (SKU, product, terms)."""
    listed = [machine(f"S{other}", operatingSystem="Windows", **PADDING) for other in range(OTHERS)]
    document = offer_json([WANTED, *listed])
    terms = document["terms"]["OnDemand"]
    return [(sku, json.dumps(product), json.dumps(terms[sku])) for sku, product in document["products"].items()]


def large_json() -> Iterator[str]:
    """Products, then terms, as in real files, with the wanted one at the end of both."""
    wanted, *others = products_and_terms()
    times = range(LARGE_BYTES // sum(len(product) + len(terms) for _, product, terms in others))
    yield '{"formatVersion": "v1.0", "products": {'
    for time in times:
        yield "".join(f'"{time}-{sku}": {product}, ' for sku, product, _ in others)
    yield f'"{wanted[0]}": {wanted[1]}}}, "terms": {{"OnDemand": {{'
    for time in times:
        yield "".join(f'"{time}-{sku}": {terms}, ' for sku, _, terms in others)
    yield f'"{wanted[0]}": {wanted[2]}}}}}}}'


def test_memory_does_not_grow_with_the_file(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """Downloading and reading 20 MB takes a few MB of memory, so a real file of 400 MB does too."""
    without_credentials(monkeypatch)
    body = "".join(large_json()).encode()
    assert len(body) > LARGE_BYTES * 0.95
    serve(provider, REGION, body)
    tracemalloc.start()
    try:
        found = FEED.fetch(request_to(provider, regions=(REGION,)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [(offer.instance_type, offer.usd_per_hour) for offer in found.offers] == [("m5.xlarge", 0.192)]
    assert peak < MOST_BYTES
