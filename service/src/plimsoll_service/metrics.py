"""The service's Prometheus collectors, shared by all layers, and their exposition.

With ``PROMETHEUS_MULTIPROC_DIR`` set before the first import, each worker writes files there and any of them can
expose the sum.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TypeVar

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

Metric = TypeVar("Metric", Counter, Histogram)
# Seconds: fine around an answer's milliseconds, coarse up to gunicorn's 30 s timeout.
LATENCY_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)

REQUEST_SECONDS = Histogram(
    "plimsoll_request_seconds",
    "Time to answer a request, by route (never by path) and status.",
    ("route", "method", "status"),
    buckets=LATENCY_BUCKETS,
)
# A phase never takes longer than a batch of the largest size.
PHASE_BUCKETS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0, 10.0)
PHASE_SECONDS = Histogram(
    "plimsoll_phase_seconds",
    "What a request spent on one phase, all items of a batch together: parse, size, render, or lookup of prices.",
    ("route", "phase"),
    buckets=PHASE_BUCKETS,
)
REQUESTS_IN_FLIGHT = Gauge(
    "plimsoll_requests_in_flight",
    "Requests that are being answered.",
    multiprocess_mode="livesum",
)
REFUSALS = Counter(
    "plimsoll_refusals_total",
    "Requests, and items of batches, that were refused (4xx), by the kind of problem.",
    ("kind",),
)
# 1,000 workloads are the most that a batch may have.
BATCH_WORKLOADS = Histogram(
    "plimsoll_batch_workloads",
    "Workloads in a batch.",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
)
WORKERS = Gauge(
    "plimsoll_workers",
    "gunicorn's workers that answer requests.",
    multiprocess_mode="livesum",
)
WORKER_START = Gauge(
    "plimsoll_worker_start_time_seconds",
    "When the youngest of gunicorn's workers began, in seconds since 1970.",
    multiprocess_mode="livemax",
)
REJECTED_CANDIDATES = Counter(
    "plimsoll_rejected_candidates_total",
    "Candidates that recommendations left out, by the first constraint that each failed.",
    ("constraint",),
)
ANSWER_CACHE_LOOKUPS = Counter(
    "plimsoll_answer_cache_lookups_total",
    "Questions by what the cache of answers had: hit, miss, or not_modified (the caller had the answer already).",
    ("outcome",),
)
CATALOG_INFO = Gauge(
    "plimsoll_catalog_info",
    "1 for the catalog in use.",
    ("version", "prices_as_of"),
    multiprocess_mode="max",
)
SPANS = Counter(
    "plimsoll_spans_total",
    "Spans that were given to the collector of traces: exported, or failed (it did not take them).",
    ("outcome",),
)
PRICE_CACHE_LOOKUPS = Counter(
    "plimsoll_price_cache_lookups_total",
    "Lookups of one offer's price of now, by what the cache had: hit, miss, or stale (shown while it is renewed).",
    ("outcome",),
)
PRICE_QUOTES = Counter(
    "plimsoll_price_quotes_total",
    "Providers asked for one offer's price of now: quoted, none, failed, late, or crowded (not asked).",
    ("cloud", "outcome"),
)
PRICE_SNAPSHOT = Gauge(
    "plimsoll_price_snapshot_info",
    "Workers that answer with this price snapshot.",
    ("version",),
    multiprocess_mode="livesum",
)
PRICE_AGE = Gauge(
    "plimsoll_price_age_seconds",
    "Time since the newest price in force was asked for; of the worker whose prices are the oldest.",
    multiprocess_mode="livemax",
)
STALE_SOURCES = Gauge(
    "plimsoll_stale_price_sources",
    "Price sources that have not answered for longer than they may.",
    multiprocess_mode="livemax",
)
PRICE_RELOADS = Counter(
    "plimsoll_price_reloads_total",
    "Price snapshots by what a worker did: adopted, failed (kept what it had), restored or regained in Redis.",
    ("outcome",),
)
REDIS_BYTES = Gauge(
    "plimsoll_redis_memory_bytes",
    "What this installation's price keys take in Redis.",
    multiprocess_mode="livemax",
)
REDIS_ERRORS = Counter(
    "plimsoll_redis_errors_total",
    "What Redis did not do, by use: it was unreachable, refused the command, or gave garbage.",
    ("use", "kind"),
)
REDIS_UP = Gauge(
    "plimsoll_redis_up",
    "Whether the last command that was tried reached Redis; 0 where any worker's did not.",
    ("use",),
    multiprocess_mode="livemin",
)
API_KEYS_STALE = Gauge(
    "plimsoll_api_keys_stale",
    "1 where the file of API keys is missing or broken, and a worker goes on with the keys before.",
    multiprocess_mode="livemax",
)


@cache  # labels are routes, methods, statuses and constraints of the application: their number is bounded
def labelled(metric: Metric, *labels: str) -> Metric:
    """Return the metric with these labels, sooner than the library finds it."""
    return metric.labels(*labels)


def show_version(version: str, before: str | None = None) -> None:
    """Count this process under a version of the prices, and no longer under the version before."""
    if before is not None:
        PRICE_SNAPSHOT.labels(before).set(0)
    PRICE_SNAPSHOT.labels(version).set(1)


def show_age(as_of: str, now: float) -> None:
    """Set the age of the newest price at a moment in seconds since 1970; prices without a date set nothing."""
    if as_of:
        dated = datetime.fromisoformat(as_of)
        PRICE_AGE.set(max(0.0, now - (dated if dated.tzinfo else dated.replace(tzinfo=UTC)).timestamp()))


def exposition(multiprocess_directory: str | None) -> bytes:
    """Return all collectors in Prometheus' text format, of all workers that share a directory or of this process."""
    if multiprocess_directory is None:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=multiprocess_directory)
    return generate_latest(registry)
