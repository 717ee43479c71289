"""Where OpenTelemetry's standard variables say that traces go."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

DEFAULT_ENDPOINT = "http://localhost:4318"  # of a collector on the same machine, says the specification
PATH = "/v1/traces"  # is appended to the endpoint of all signals, not to the one of traces alone
PROTOCOL = "http/protobuf"
_EXPORTER = "otlp"


def endpoint_of(stated: Mapping[str, str]) -> str | None:
    """The collector's address for traces, ``None`` where none is configured; raises ``ValueError``, which quotes none.

    Unlike in the specification nothing is sent where neither an endpoint nor ``OTEL_TRACES_EXPORTER`` is stated.
    """
    exporter = stated.get("OTEL_TRACES_EXPORTER")
    if stated.get("OTEL_SDK_DISABLED", "").lower() == "true" or exporter == "none":
        return None
    if exporter not in (None, _EXPORTER):
        raise ValueError(f"OTEL_TRACES_EXPORTER must be {_EXPORTER} or none, not {exporter!r}")
    common, own = stated.get("OTEL_EXPORTER_OTLP_ENDPOINT"), stated.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    if own is None and common is None and exporter is None:
        return None
    protocol = stated.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or stated.get("OTEL_EXPORTER_OTLP_PROTOCOL")
    if protocol not in (None, PROTOCOL):
        raise ValueError(f"OTEL_EXPORTER_OTLP_PROTOCOL must be {PROTOCOL}, not {protocol!r}")
    endpoint = own or (common or DEFAULT_ENDPOINT).rstrip("/") + PATH
    if not _is_web(endpoint):
        # It may hold a password, and is not quoted.
        raise ValueError("OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318")
    return endpoint


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
