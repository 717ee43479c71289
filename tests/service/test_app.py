"""The application with its settings."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

import pytest

from plimsoll_service.app import create_app
from plimsoll_service.catalog.faults import CatalogError
from plimsoll_service.settings import DEFAULT_MAX_BODY_BYTES, RateLimit, Settings, SettingsError, unknown_variables


def test_nothing_in_the_environment_is_needed() -> None:
    """Without any variable, the service runs with its bundled data."""
    assert Settings.from_environment({}) == Settings()


def test_every_setting_is_read_from_the_environment() -> None:
    """Each field has its variable."""
    environment = {
        "PLIMSOLL_REDIS_URL": "redis://localhost",
        "PLIMSOLL_REDIS_NAMESPACE": "own",
        "PLIMSOLL_PRICE_TTL": "12h",
        "PLIMSOLL_PRICE_SNAPSHOTS": "7",
        "PLIMSOLL_LIVE_PRICES": "AWS, azure",
        "PLIMSOLL_TERMS": "terms.yaml",
        "PLIMSOLL_LAST_PRICES": "last",
        "PLIMSOLL_CATALOG": "own.npz",
        "PLIMSOLL_MAX_BODY_BYTES": "1000",
        "PLIMSOLL_ANSWER_CACHE_BYTES": "0",
        "PLIMSOLL_LOG_LEVEL": "WARNING",
        "PLIMSOLL_FRAME_ANCESTORS": "https://portal.example",
        "PLIMSOLL_API_KEYS": "keys.jsonl",
        "PLIMSOLL_OPEN": "1",
        "PLIMSOLL_RATE_LIMIT": "600/minute",
        "PLIMSOLL_TRUSTED_PROXIES": "2",
        "PLIMSOLL_CORS_ORIGINS": "https://a.example, http://localhost:3000",
        "PLIMSOLL_HSTS_SECONDS": "31536000",
        "PLIMSOLL_BATCH_SECONDS": "10",
        "PLIMSOLL_DRAIN_SECONDS": "7",
        "WEB_CONCURRENCY": "3",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318",
        "PROMETHEUS_MULTIPROC_DIR": "metrics",
    }

    expected = Settings(
        redis_url="redis://localhost",
        redis_namespace="own",
        price_ttl_hours=12.0,
        price_snapshots=7,
        live_prices=("aws", "azure"),
        terms_path=Path("terms.yaml"),
        last_prices_directory=Path("last"),
        catalog_path=Path("own.npz"),
        max_body_bytes=1000,
        answer_cache_bytes=0,
        log_level="warning",
        frame_ancestors="https://portal.example",
        api_keys_path=Path("keys.jsonl"),
        open=True,
        rate_limit=RateLimit(600, "minute"),
        trusted_proxies=2,
        cors_origins=("https://a.example", "http://localhost:3000"),
        hsts_seconds=31536000,
        batch_seconds=10,
        drain_seconds=7,
        workers=3,
        traces_endpoint="http://collector:4318/v1/traces",
        metrics_directory="metrics",
    )
    assert Settings.from_environment(environment) == expected
    assert len(environment) == len(fields(Settings))


def test_an_empty_variable_counts_as_absent() -> None:
    """An empty variable counts as absent, because container platforms write unset ones like that."""
    settings = Settings.from_environment({"PLIMSOLL_REDIS_URL": "", "PLIMSOLL_MAX_BODY_BYTES": ""})

    assert (settings.redis_url, settings.max_body_bytes) == (None, DEFAULT_MAX_BODY_BYTES)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PLIMSOLL_MAX_BODY_BYTES", "many"),
        ("PLIMSOLL_MAX_BODY_BYTES", "0"),
        ("PLIMSOLL_LOG_LEVEL", "loud"),
        ("PLIMSOLL_PRICE_TTL", "a day"),
        ("PLIMSOLL_PRICE_TTL", "0"),
        ("PLIMSOLL_PRICE_TTL", "inf"),
        ("PLIMSOLL_PRICE_SNAPSHOTS", "0"),
        ("PLIMSOLL_REDIS_NAMESPACE", "{own}"),
        ("PLIMSOLL_OPEN", "yes"),
        ("PLIMSOLL_RATE_LIMIT", "fast"),
        ("PLIMSOLL_TRUSTED_PROXIES", "-1"),
        ("PLIMSOLL_CORS_ORIGINS", "*"),
        ("PLIMSOLL_CORS_ORIGINS", "https://*.example"),
        ("PLIMSOLL_CORS_ORIGINS", "https://a.example/path"),
        ("PLIMSOLL_CORS_ORIGINS", "null"),
        ("PLIMSOLL_HSTS_SECONDS", "0"),
        ("PLIMSOLL_BATCH_SECONDS", "soon"),
        ("PLIMSOLL_BATCH_SECONDS", "9" * 5000),
        ("PLIMSOLL_DRAIN_SECONDS", "3601"),
        ("PLIMSOLL_FRAME_ANCESTORS", "https://a.example; script-src *"),
        ("PLIMSOLL_FRAME_ANCESTORS", "https://a.example\nX-Other: header"),
        ("PLIMSOLL_FRAME_ANCESTORS", "https://a.example, default-src *"),
        ("WEB_CONCURRENCY", "0"),
        ("WEB_CONCURRENCY", "all"),
    ],
)
def test_a_wrong_variable_is_named(name: str, value: str) -> None:
    """The message names the variable and its valid values."""
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({name: value})


def test_every_wrong_variable_is_named_at_once() -> None:
    """All wrong variables are named at once, so that nobody finds the next fault only after mending the first."""
    wrong = {
        "PLIMSOLL_LOG_LEVEL": "loud",
        "PLIMSOLL_OPEN": "yes",
        "PLIMSOLL_RATE_LIMIT": "fast",
        "PLIMSOLL_DRAIN_SECONDS": "3601",
        "WEB_CONCURRENCY": "all",
        "OTEL_TRACES_EXPORTER": "jaeger",
    }

    with pytest.raises(SettingsError) as refused:
        Settings.from_environment(wrong)

    assert [name for name in wrong if name not in str(refused.value)] == []


def test_the_settings_reach_the_application() -> None:
    """Limits and policies are those of the settings."""
    app = create_app(Settings(max_body_bytes=10, frame_ancestors="https://portal.example", log_level="critical"))
    client = app.test_client()

    too_large = client.post("/v1/recommendations", data=b" " * 11, content_type="application/json")

    assert too_large.status_code == 413
    assert "https://portal.example" in client.get("/embed").headers["Content-Security-Policy"]


def test_the_whole_service_answers() -> None:
    """A task alone gets a priced recommendation, through all layers."""
    client = create_app(Settings(log_level="critical")).test_client()

    answer = client.get("/v1/recommendations?task=training&model=resnet50&limit=1").json

    assert answer["recommendations"][0]["price"]["usd_per_hour"] > 0
    assert answer["assumptions"]


def test_a_catalog_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    """A service with a faulty catalog does not start."""
    with pytest.raises(CatalogError):
        create_app(Settings(catalog_path=tmp_path / "none.npz"))


@pytest.mark.parametrize(
    "name",
    [
        "WEB_CONCURRENCY",
        "PLIMSOLL_PRICE_TTL",
        "PLIMSOLL_PRICE_SNAPSHOTS",
        "PLIMSOLL_MAX_BODY_BYTES",
        "PLIMSOLL_ANSWER_CACHE_BYTES",
        "PLIMSOLL_TRUSTED_PROXIES",
        "PLIMSOLL_HSTS_SECONDS",
        "PLIMSOLL_BATCH_SECONDS",
        "PLIMSOLL_DRAIN_SECONDS",
    ],
)
def test_every_number_has_an_upper_bound(name: str) -> None:
    """A number beyond all use, such as a hundred million workers, is refused by name."""
    with pytest.raises(SettingsError, match=f"^{name} must be at most"):
        Settings.from_environment({name: "100000000000"})


def test_workers_are_bounded_by_the_cores() -> None:
    """The number of workers is bounded by a small multiple of the cores."""
    with pytest.raises(SettingsError, match="WEB_CONCURRENCY must be at most"):
        Settings.from_environment({"WEB_CONCURRENCY": str(4 * max(4, os.cpu_count() or 1) + 1)})


def test_misspelt_variables_are_named_with_what_is_meant() -> None:
    """Misspelt variables are named, but not those of the SDK or of Kubernetes' Service links."""
    said = unknown_variables(
        {
            "PLIMSOLL_RATELIMIT": "600/minute",
            "PLIMSOLL_NONSENSE": "1",
            "PLIMSOLL_RATE_LIMIT": "600/minute",
            "PLIMSOLL_API_KEY": "plm_",
            "PLIMSOLL_SERVICE_HOST": "10.0.0.1",
            "PLIMSOLL_PORT_8080_TCP_ADDR": "10.0.0.1",
        }
    )

    assert said == (
        "PLIMSOLL_NONSENSE is no setting of the service",
        "PLIMSOLL_RATELIMIT is no setting of the service: PLIMSOLL_RATE_LIMIT is meant?",
    )
