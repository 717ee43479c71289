"""Results as HTML for notebooks; every word that comes from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape

from plimsoll._words import nothing, number, shortfall, span
from plimsoll.figures import AcceleratorChoice, Estimate, Note, Price
from plimsoll.models import Answer, ComparedMachine, Comparison, HardwareEstimate, Recommendation

Cells = dict[str, str]


@singledispatch
def html_of(result: object) -> str:
    """The result as tables, with what was assumed and why folded away."""
    raise TypeError(f"no HTML for {type(result).__name__}")


@html_of.register
def _(answer: Answer) -> str:
    if answer.recommendations:
        body = _table([_recommendation(each) for each in answer.recommendations])
    else:
        body = f"<p>{escape(nothing(answer))}</p>"
    assumed = (f"{each.field} = {each.value}: {each.why}" for each in answer.assumptions)
    return body + _details("assumptions", assumed) + _stamp(answer.catalog.version, answer.catalog.prices_as_of)


@html_of.register
def _(recommendation: Recommendation) -> str:
    return _table([_recommendation(recommendation)]) + _notes(recommendation.reasons, recommendation.warnings)


@html_of.register
def _(hardware: HardwareEstimate) -> str:
    why_not = _details("why not", (each.text for each in hardware.why_not))
    return _table([_hardware(hardware)]) + why_not + _notes(hardware.reasons, hardware.warnings)


@html_of.register
def _(comparison: Comparison) -> str:
    return _table([_compared(each) for each in comparison.machines])


def _recommendation(each: Recommendation) -> Cells:
    return {
        "rank": str(each.rank),
        "machine": f"{each.node_count} × {each.instance_type or each.label}",
        "accelerator": _accelerator(each.accelerator),
        "cloud": each.cloud,
        "region": each.region or "",
        "purchase": each.purchase or "",
        **_price(each.price),
        **_estimate(each.estimate),
    }


def _compared(each: ComparedMachine) -> Cells:
    ratios = {
        "relative performance": each.relative_performance,
        "relative cost": each.relative_cost,
        "performance per cost": each.performance_per_cost,
    }
    return {
        "machine": each.label,
        **{name: "" if ratio is None else number(ratio) for name, ratio in ratios.items()},
        **_hardware(each),
    }


def _hardware(each: HardwareEstimate | ComparedMachine) -> Cells:
    return {
        "fits": "yes" if each.fits else "no",
        "short": ", ".join(shortfall(short) for short in each.short),
        **_price(each.price),
        **_estimate(each.estimate),
    }


def _accelerator(choice: AcceleratorChoice | None) -> str:
    return f"{number(choice.count)} × {choice.name}" if choice else ""


def _price(price: Price | None) -> Cells:
    return {"USD/h a machine": number(price.usd_per_hour) if price else ""}


def _estimate(estimate: Estimate | None) -> Cells:
    if estimate is None:
        return {}
    return {
        "throughput": f"{span(estimate.throughput)} {estimate.throughput.unit}",
        "hours": span(estimate.time_hours),
        "USD": span(estimate.cost_usd),
        "USD/h": span(estimate.usd_per_hour),
        "USD a million": span(estimate.usd_per_million),
        "bottleneck": estimate.bottleneck.replace("_", " "),
        "basis": estimate.basis,
    }


def _table(rows: Sequence[Cells]) -> str:
    # A column that no row fills (the time of serving) only takes room.
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if any(row.get(name) for row in rows)]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(row.get(name, ''))}</td>" for name in names) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _notes(reasons: Sequence[Note], warnings: Sequence[Note]) -> str:
    return _details("warnings", (note.text for note in warnings)) + _details("reasons", (note.text for note in reasons))


def _details(title: str, lines: Iterable[str]) -> str:
    entries = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<details><summary>{title}</summary><ul>{entries}</ul></details>" if entries else ""


def _stamp(version: str, prices_as_of: str | None) -> str:
    prices = f", prices as of {prices_as_of}" if prices_as_of else ""
    return f"<p><small>catalog {escape(version + prices)}</small></p>"
