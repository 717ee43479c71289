"""Results as rows of short texts for people."""

from __future__ import annotations

from plimsoll._words import Cells, accelerator, machine, number, shortfall, span
from plimsoll.figures import Estimate, Price
from plimsoll.models import ComparedMachine, HardwareEstimate, Recommendation

# The columns that hold figures.
RIGHT = frozenset(
    {
        *("rank", "line", "hours", "USD", "USD/h", "USD/h each", "USD a million", "latency ms", "throughput"),
        *("performance", "cost", "performance per cost", "from", "to", "change"),
        *("vCPUs", "GiB", "GB/s", "Gbit/s", "million parameters", "offers", "required", "provided", "candidates"),
    }
)


def recommendation_cells(recommendation: Recommendation) -> Cells:
    """One recommendation."""
    return {
        "rank": str(recommendation.rank),
        "machine": machine(recommendation.node_count, recommendation.instance_type, recommendation.label),
        "accelerator": accelerator(recommendation.accelerator),
        "cloud": recommendation.cloud,
        "region": recommendation.region or "",
        "purchase": recommendation.purchase or "",
        **_price(recommendation.price),
        **_estimate(recommendation.estimate),
    }


def compared_cells(compared: ComparedMachine) -> Cells:
    """One machine of a comparison."""
    ratios = {
        "performance": compared.relative_performance,
        "cost": compared.relative_cost,
        "performance per cost": compared.performance_per_cost,
    }
    return {
        "machine": compared.label,
        **{name: "" if ratio is None else number(ratio) for name, ratio in ratios.items()},
        **hardware_cells(compared),
    }


def hardware_cells(hardware: ComparedMachine | HardwareEstimate) -> Cells:
    """An estimate on given hardware."""
    estimate = _estimate(hardware.estimate) if hardware.estimate else {}
    return {
        "fits": "yes" if hardware.fits else "no",
        "short of": ", ".join(shortfall(short) for short in hardware.short),
        **_price(hardware.price),
        **estimate,
    }


def figure(value: float | None) -> str:
    """A figure of the catalog; empty where it is not known."""
    return "" if value is None else f"{value:,.6g}"


def usd(value: float | None) -> str:
    """A price in USD, to the four digits in which prices differ; empty where there is none."""
    return "" if value is None else f"{value:,.4g}"


def _price(price: Price | None) -> Cells:
    return {"USD/h each": usd(price.usd_per_hour if price else None)}


def _estimate(estimate: Estimate) -> Cells:
    return {
        "throughput": f"{number(estimate.throughput.value)} {estimate.throughput.unit}",
        "hours": span(estimate.time_hours),
        "USD": span(estimate.cost_usd),
        "USD/h": span(estimate.usd_per_hour),
        "USD a million": span(estimate.usd_per_million),
        "latency ms": span(estimate.latency_ms or (estimate.serving.ttft_p95_ms if estimate.serving else None)),
        "basis": estimate.basis,
    }
