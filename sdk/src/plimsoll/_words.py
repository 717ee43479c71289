"""Results in few words, for terminals and notebooks."""

from __future__ import annotations

from functools import singledispatch

from plimsoll.figures import Estimate, Range, Rate
from plimsoll.models import Answer, ComparedMachine, Comparison, HardwareEstimate, Recommendation, Relax, Shortfall

# From here on the decimals of a figure say nothing that its range does not take back.
_WHOLE_FROM = 100


def number(value: float) -> str:
    """Three significant digits, whole numbers in full: ``0.526``, ``39.4``, ``12,345``."""
    return f"{value:,.0f}" if abs(value) >= _WHOLE_FROM else f"{value:.3g}"


def span(found: Range | Rate | None) -> str:
    """A range as ``39.4 (34.4–45.7)``; empty where there is none."""
    return f"{number(found.value)} ({number(found.low)}–{number(found.high)})" if found else ""


@singledispatch
def text_of(result: object) -> str:
    """The result in few words."""
    raise TypeError(f"no words for {type(result).__name__}")


@text_of.register
def _(answer: Answer) -> str:
    if answer.best is None:
        return nothing(answer)
    others = len(answer.recommendations) - 1
    return text_of(answer.best) + (f"; {others} more" if others else "")


def nothing(answer: Answer) -> str:
    """Why no machine qualified, and what to loosen."""
    counts = ", ".join(f"{name} {count}" for name, count in answer.rejected.items())
    text = "no machine meets the constraints" + (f"; rejected: {counts}" if counts else "")
    return text + "".join(f"; {_relaxed(relax)}" for relax in answer.relax)


@text_of.register
def _(recommendation: Recommendation) -> str:
    name = recommendation.instance_type or recommendation.label or "unnamed"
    where = (recommendation.cloud, recommendation.region, recommendation.purchase)
    machine = f"{recommendation.node_count} × {name} ({', '.join(word for word in where if word)})"
    return f"{machine}: {figures(recommendation.estimate)}"


def figures(estimate: Estimate) -> str:
    """Throughput, then time and cost of a job, or rates of serving."""
    words = [f"{number(estimate.throughput.value)} {estimate.throughput.unit}"]
    for found, unit in (
        (estimate.time_hours, "h"),
        (estimate.cost_usd, "USD"),
        (estimate.usd_per_hour, "USD/h"),
        (estimate.usd_per_million, "USD a million"),
    ):
        if found:
            words.append(f"{number(found.value)} {unit}")
    return ", ".join(words)


@text_of.register(HardwareEstimate)
@text_of.register(ComparedMachine)
def _(hardware: HardwareEstimate | ComparedMachine) -> str:
    if hardware.estimate is None:
        return "does not fit: " + ", ".join(shortfall(short) for short in hardware.short)
    return figures(hardware.estimate)


def shortfall(short: Shortfall) -> str:
    """What is short, needed and there."""
    needed, there = (
        number(value) if isinstance(value, float) else value for value in (short.required, short.available)
    )
    return f"{short.resource} (required {needed}, available {there})"


@text_of.register
def _(comparison: Comparison) -> str:
    return "\n".join(f"{each.label}: {text_of(each)}" for each in comparison.machines)


def _relaxed(relax: Relax) -> str:
    cost = f" ({number(relax.cost_usd)} USD)" if relax.cost_usd is not None else ""
    how = f"leave out {relax.constraint}" if relax.to is None else f"relax {relax.constraint} to {relax.to}"
    return f"{how}{cost}"
