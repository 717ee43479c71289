"""Processors: their names, and one fitted row for each model from the instances that have it."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gathered.catalog.gathered import Gathered, first_match, own_table

# Names that machines report, with the trade name or the usual spelling.
RENAMED = {
    "Intel Xeon Platinum 8269CY T 3.10GHz": "Intel Xeon Platinum 8269CY",
    "Cortex-A72": "AWS Graviton",
    "Neoverse-N1": "Ampere Altra",
    "Neoverse-N3": "Google Axion N4A",
}
# Names that a hypervisor made up: the processor is unknown.
MADE_UP = re.compile(r"(Core |Xeon |EPYC-\w+ )Processor( |$)|^AMD EPYC$")
UNNAMED_XEON = re.compile(r"^Intel Xeon( \(unnamed\)| Platinum)?$")
# Second-level cache per core (MiB) of the Xeon generations, for those without a model name.
UNNAMED_BY_CACHE = (
    (0.25, "Intel Xeon (Broadwell or Haswell)"),
    (1.0, "Intel Xeon (Skylake or Cascade Lake)"),
    (1.25, "Intel Xeon (Ice Lake)"),
    (2.0, "Intel Xeon (Sapphire Rapids or Emerald Rapids)"),
)


def processor_name(row: Gathered) -> str | None:
    """The processor of a measured row; ``None`` where the machine hides what it is."""
    name = row["cpu"]
    if UNNAMED_XEON.match(name):
        return _unnamed(row)
    if MADE_UP.search(name):
        return None
    return RENAMED.get(name, name)


def _unnamed(row: Gathered) -> str | None:
    cache, sockets, cores = row.number("l2_mib"), row.number("sockets"), row.number("cores_per_socket")
    if not cache or not sockets or not cores:
        return None
    per_core = cache / (sockets * cores)
    size, name = min(UNNAMED_BY_CACHE, key=lambda known: abs(known[0] - per_core))
    if size != 1.0:
        return name
    # Of the two with 1 MiB only the younger has the neural-network instructions.
    return "Intel Xeon (Cascade Lake)" if "avx512_vnni" in row["features"] else "Intel Xeon (Skylake)"


def described(name: str) -> tuple[str, str] | None:
    """Vendor and microarchitecture of a processor; ``None`` where no pattern knows it."""
    known = first_match("microarchitectures", name)
    return None if known is None else (known["vendor"], known["microarchitecture"])


def all_core_clocks() -> dict[str, float]:
    """GHz with every core busy, as the provider states it; processors with "up to" for one core are not listed."""
    return {row["processor"]: float(row["all_core_ghz"]) for row in own_table("clocks")}


def _clock_sources() -> dict[str, str]:
    return {row["processor"]: f"; clock: {row['source']}" for row in own_table("clocks") if row["source"]}


# Widest first: the list that ``Processors.vector`` names, with the word that machines report.
VECTORS = (
    ("amx", "amx_bf16"), ("avx512_bf16", "avx512_bf16"), ("avx512_vnni", "avx512_vnni"), ("avx512f", "avx512f"),
    ("avx2", "avx2"), ("sve2", "sve2"), ("sve", "sve"), ("neon", "asimd"),
)  # fmt: skip
# Old hypervisors mask instructions: the processor has those that a fifth of the machines show.
VECTOR_SHARE = 0.2
# Candidates of the bandwidth fit: the observed shares of one core and of one socket, at these quantiles.
FIT_QUANTILES = np.linspace(0, 1, 41)
MEASURED = "fitted to measurements of Spare Cores (inspector data 804d3c71, CC BY-SA 4.0)"
DIGITS = 4
UNKNOWN_VENDOR = "unknown"
FIGURES = (
    "threads_per_core", "clock_ghz", "core_bandwidth_gb_s", "socket_bandwidth_gb_s", "socket_cores", "gzip_mb_s",
)  # fmt: skip


def processors(rows: Iterable[Gathered]) -> list[dict[str, Any]]:
    """The rows of ``processors.csv``: the models by name, then generic ones per vendor and per architecture."""
    groups: dict[str, list[Gathered]] = defaultdict(list)
    for row in rows:
        name = processor_name(row)
        if name and described(name) and row.number("memory_read_gbs") and row.number("gzip5_mb_s_1thread"):
            groups[name].append(row)
    fitted = [_fitted(name, groups[name]) for name in sorted(groups)]
    _fill_clocks(fitted)
    _fill_sockets(fitted)
    return fitted + _generic(fitted)


def _fitted(name: str, rows: Sequence[Gathered]) -> dict[str, Any]:
    vendor, microarchitecture = described(name) or ("", "")
    core, socket = _bandwidths(rows)
    return {
        "name": name,
        "vendor": vendor,
        "architecture": "arm64" if rows[0]["arch"] == "aarch64" else "x86_64",
        "microarchitecture": microarchitecture,
        "vector": _vector(rows),
        "threads_per_core": float(Counter(_threads(row) for row in rows).most_common(1)[0][0]),
        "clock_ghz": all_core_clocks().get(name),
        "core_bandwidth_gb_s": core,
        "socket_bandwidth_gb_s": socket,
        "socket_cores": max(_cores(row) / _sockets(row) for row in rows),
        "gzip_mb_s": _rounded(statistics.median(row.number("gzip5_mb_s_1thread") or 0 for row in rows)),
        "source": f"{MEASURED}: {len(rows)} instance types{_clock_sources().get(name, '')}",
    }


def _threads(row: Gathered) -> float:
    return row.number("threads_per_core") or 1.0


def _cores(row: Gathered) -> float:
    return (row.number("vcpus") or 1.0) / _threads(row)


def _sockets(row: Gathered) -> float:
    # Some hypervisors show each vCPU as a socket of its own.
    single = (row.number("cores_per_socket") or 1.0) <= 1
    return 1.0 if single else row.number("sockets") or 1.0


def _vector(rows: Sequence[Gathered]) -> str:
    for vector, word in VECTORS:
        if sum(word in row["features"].split() for row in rows) >= VECTOR_SHARE * len(rows):
            return vector
    return "none"


def _bandwidths(rows: Sequence[Gathered]) -> tuple[float, float]:
    """Per core and per socket, the pair with the least absolute error of log min(cores x core, sockets x socket)."""
    cores = np.array([_cores(row) for row in rows])
    sockets = np.array([_sockets(row) for row in rows])
    read = np.array([row.number("memory_read_gbs") for row in rows], dtype=float)
    per_core = np.unique(np.quantile(read / cores, FIT_QUANTILES))
    per_socket = np.unique(np.quantile(read / sockets, FIT_QUANTILES))
    curve = np.minimum(cores * per_core[:, None, None], sockets * per_socket[None, :, None])
    error = np.abs(np.log(curve / read)).sum(axis=2)
    # The highest of equally good pairs: machines that never reached a ceiling do not contradict it.
    best = np.argwhere(error <= error.min() * (1 + 1e-9))[-1]
    return _rounded(per_core[best[0]]), _rounded(max(per_socket[best[1]], per_core[best[0]]))


def _fill_clocks(fitted: Sequence[dict[str, Any]]) -> None:
    """Fill in unknown clocks: the median of the microarchitecture, otherwise of the vendor and architecture."""
    stated = all_core_clocks()
    for keys in (("microarchitecture",), ("vendor", "architecture"), ("architecture",)):
        known: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for row in fitted:
            if row["name"] in stated:
                known[tuple(row[key] for key in keys)].append(stated[row["name"]])
        for row in fitted:
            clocks = known.get(tuple(row[key] for key in keys))
            if row["clock_ghz"] is None and clocks:
                row["clock_ghz"] = _rounded(statistics.median(clocks))
                row["source"] += f"; clock: median of its {' and '.join(keys)}"


def _fill_sockets(fitted: Sequence[dict[str, Any]]) -> None:
    """Correct sockets of which only small parts were measured: else a large machine would have dozens of them."""
    measured = {row["name"]: row["socket_bandwidth_gb_s"] for row in fitted}
    stated = {row["processor"]: row for row in own_table("sockets")}
    for row in fitted:
        known = stated.get(row["name"])
        if known is not None:
            row["socket_cores"] = float(known["cores"])
            row["socket_bandwidth_gb_s"] = measured[known["bandwidth_of"]]
            row["source"] += f"; socket: {known['source']}"


def _generic(fitted: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    makers = sorted({(row["vendor"], row["architecture"]) for row in fitted})
    groups = [(f"{vendor} {architecture}", vendor, architecture) for vendor, architecture in makers]
    groups += [(architecture, UNKNOWN_VENDOR, architecture) for architecture in sorted({maker[1] for maker in makers})]
    rows = []
    for label, vendor, architecture in groups:
        models = [
            row for row in fitted if row["architecture"] == architecture and vendor in (row["vendor"], UNKNOWN_VENDOR)
        ]
        rows.append(
            {
                "name": f"{label}, generic",
                "vendor": vendor,
                "architecture": architecture,
                "microarchitecture": "generic",
                "vector": _common_vector(models),
                **{figure: _rounded(statistics.median(row[figure] for row in models)) for figure in FIGURES},
                "source": f"medians of the {len(models)} processors of this kind, {MEASURED}",
            }
        )
    return rows


def _common_vector(models: Sequence[dict[str, Any]]) -> str:
    """The instructions that at least half of the models have."""
    order = [vector for vector, _ in VECTORS] + ["none"]
    ranks = sorted(order.index(row["vector"]) for row in models)
    return order[ranks[len(ranks) // 2]]


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
