"""Address to which OpenTelemetry's variables send traces."""

from __future__ import annotations

import pytest

from plimsoll_service.settings import Settings, SettingsError


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({}, None),
        ({"OTEL_SERVICE_NAME": "sizing"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, "http://collector:4318/v1/traces"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318/"}, "http://collector:4318/v1/traces"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector/own"}, "https://collector/own"),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, "http://localhost:4318/v1/traces"),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, None),
        ({"OTEL_SDK_DISABLED": "TRUE", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, None),
    ],
)
def test_traces_go_where_the_standard_variables_say(stated: dict[str, str], expected: str | None) -> None:
    """Traces are sent only if an endpoint or the exporter is stated."""
    assert Settings.from_environment(stated).traces_endpoint == expected


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317"}, "OTEL_EXPORTER_OTLP_ENDPOINT"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://:4317"}, "OTEL_EXPORTER_OTLP_ENDPOINT"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://[::1"}, "OTEL_EXPORTER_OTLP_ENDPOINT"),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL"),
    ],
)
def test_what_cannot_be_used_is_named(stated: dict[str, str], named: str) -> None:
    """The message names the variable and its valid values."""
    with pytest.raises(SettingsError, match=named):
        Settings.from_environment(stated)


def test_a_password_in_an_address_is_not_quoted() -> None:
    """An unusable address is not quoted, because it may contain a password."""
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment({"OTEL_EXPORTER_OTLP_ENDPOINT": "ftp://user:secret@collector"})

    assert "secret" not in str(refused.value)
