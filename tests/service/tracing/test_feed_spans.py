"""Spans of requests to providers: in a refresh, and for a request that needs a current price."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import CATALOG, current_of
from tests.service.tracing.collector import Collector, attributes, collecting

from plimsoll_service import cli, tracing
from plimsoll_service.prices.feeds import http
from plimsoll_service.prices.feeds.feed import SPOT, FeedError, FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.quote_cache import quote_region
from plimsoll_service.prices.quotes import Quotes
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.source import PriceFilter

OFFER = PriceFilter("aws", "us-east-1", "p3.2xlarge", "spot")


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector that listens."""
    with collecting() as found:
        yield found
        tracing.stop()


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Provider from which prices are fetched."""
    found = Provider()
    yield found
    found.close()


def below(collector: Collector, parent: Span) -> dict[str, Span]:
    """The parts of a span by name."""
    return {span.name: span for span in collector.spans if span.parent_span_id == parent.span_id}


@pytest.mark.usefixtures("own_logging")
def test_a_refresh_is_a_trace(
    collector: Collector, provider: Provider, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refresh is a trace of its fetches and Redis commands, which is sent before the command ends."""
    monkeypatch.setenv("PLIMSOLL_REDIS_URL", redis_url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    prices = current_of("lambda", "global", "on_demand", join.table_of(CATALOG))
    rows = [f"{cloud},{name},{region},{price!r},list" for (cloud, name, region, _), price in prices.items()]
    provider.serve("/prices.csv", "\n".join(["cloud,instance_type,region,usd_per_hour,source", *rows]))

    status = cli.main(["prices", "refresh", "--cloud", "file", "--url", f"{provider.url}/prices.csv?key=s3cr3t"])

    (refresh,) = collector.named("refresh file")
    parts = below(collector, refresh)
    asked = below(collector, parts["fetch"])["GET"]
    assert status == 0
    assert {"fetch", "redis snapshots"} == set(parts)
    assert asked.kind == Span.SPAN_KIND_CLIENT
    assert attributes(asked)["http.response.status_code"] == 200
    assert attributes(asked)["url.full"] == f"{provider.url}/prices.csv"
    assert "s3cr3t" not in str(collector.spans)


def test_an_attempt_that_fails_says_so(
    collector: Collector, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed attempt has its status and the failure, but not the provider's text."""
    provider.serve("/prices", Reply("s3cr3t", status=403))
    tracing.configure(f"{collector.url}/v1/traces")

    with pytest.raises(FeedError), tracing.root("refresh"), httpx.Client() as client:
        http.get_json(client, f"{provider.url}/prices")
    tracing.stop()

    (asked,) = collector.named("GET")
    assert asked.status.code == Status.STATUS_CODE_ERROR
    assert attributes(asked)["http.response.status_code"] == 403
    assert "s3cr3t" not in str(collector.spans)


class SpotFeed:
    """A provider that answers in another thread than the request's."""

    name = "aws"
    quotes = frozenset((SPOT,))

    def fetch(self, request: FeedRequest) -> Fetched:
        """Return nothing, because only single offers are requested."""
        raise FeedError("is asked for single offers")

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote:
        """Return always the same quote."""
        return OfferQuote("aws", instance_type, region, purchase, 0.5)


def test_a_price_of_now_is_part_of_the_request_that_asked(collector: Collector) -> None:
    """A current price is a part of the request, although another thread asks the provider."""
    book = LivePrices(CATALOG).current()
    quotes = Quotes(
        {"aws": SpotFeed()}, lambda cloud, region: FeedRequest(cloud, (region,)),
        quote_region(),
    )  # fmt: skip
    tracing.configure(f"{collector.url}/v1/traces")

    with tracing.root("request"):
        quotes.instead_of(book.lookup(OFFER), OFFER)
    tracing.stop()

    (request,) = collector.named("request")
    assert set(below(collector, request)) == {"quote aws"}


def test_what_nobody_asked_for_is_no_trace(collector: Collector) -> None:
    """Only parts of a request or a command are recorded, not work in the background."""
    tracing.configure(f"{collector.url}/v1/traces")

    with tracing.span("redis snapshots", "client") as found:
        valid = found.get_span_context().is_valid
    tracing.stop()

    assert (valid, collector.spans) == (False, [])
