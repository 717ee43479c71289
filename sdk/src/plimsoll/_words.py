"""Figures of results in few words, and results as HTML tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plimsoll.figures import AcceleratorChoice, Estimate, Note, Price, Range, Rate, Shortfall

Cells = dict[str, str]

# Above this, decimals are smaller than any range.
_WHOLE_FROM = 100


_OBJECTIVES = {"performance_per_cost": "performance per cost", "balanced": "the balance of cost and time"}


def ranked_by(objective: str | None) -> str:
    """The objective of a ranking."""
    return f"ranked by {_OBJECTIVES.get(objective or '', objective)}"


def number(value: float) -> str:
    """Three significant digits, whole numbers in full: ``0.526``, ``39.4``, ``12,345``."""
    return f"{value:,.0f}" if abs(value) >= _WHOLE_FROM else f"{value:.3g}"


def span(found: Range | Rate | None) -> str:
    """A range as ``39.4 (34.4–45.7)``, a certain value as ``39.4``; empty where there is none."""
    if found is None:
        return ""
    certain = found.low == found.high
    return number(found.value) + ("" if certain else f" ({number(found.low)}–{number(found.high)})")


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


def shortfall(short: Shortfall) -> str:
    """The resource, with the required and the available amount."""
    needed, there = (
        number(value) if isinstance(value, float) else value for value in (short.required, short.available)
    )
    return f"{short.resource} (required {needed}, available {there})"


def machine(node_count: int, instance_type: str | None, label: str | None) -> str:
    """Number and name of the machines: ``2 × p3.2xlarge``."""
    return f"{node_count} × {instance_type or label or 'unnamed'}"


def accelerator(choice: AcceleratorChoice | None) -> str:
    """Number and name of a machine's accelerators: ``2 × T4``; empty where there is none."""
    return f"{number(choice.count)} × {choice.name}" if choice else ""


def price_cells(price: Price | None) -> Cells:
    """The price of one machine."""
    return {"USD/h a machine": number(price.usd_per_hour) if price else ""}


def estimate_cells(estimate: Estimate | None) -> Cells:
    """Ranges of an estimate, its bottleneck and its basis."""
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


def table(rows: Sequence[Cells]) -> str:
    """An HTML table with the columns that any row fills."""
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if any(row.get(name) for row in rows)]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(row.get(name, ''))}</td>" for name in names) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def details(title: str, lines: Iterable[str]) -> str:
    """A list in HTML, folded away under its title; empty where there are no lines."""
    entries = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<details><summary>{title}</summary><ul>{entries}</ul></details>" if entries else ""


def notes(reasons: Sequence[Note], warnings: Sequence[Note]) -> str:
    """Warnings and reasons in HTML, folded away."""
    return details("warnings", (note.text for note in warnings)) + details("reasons", (note.text for note in reasons))


def escape(text: str) -> str:
    """Return the text with HTML's special characters escaped."""
    import html  # brings a table of all entities, for notebooks alone

    return html.escape(text)
