"""Asks the service what a training run costs by its deadline, and writes docs/deadline.md with the curve.

Run it with ``make figures``; equal answers give equal files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import matplotlib as mpl
from flask.testing import FlaskClient
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

DOCS = Path(__file__).resolve().parents[1]
PAGE, PLOT = "deadline.md", "figures/deadline.svg"
# S2: Google Compute Engine in 2017, a K80 at the regular price against preemptible processors.
GPU = {"label": "K80", "accelerator": "K80", "count": 1, "vcpus": 1, "memory_gib": 3.75, "usd_per_hour": 0.745}
PREEMPTIBLE_USD_PER_VCPU = 0.509 / 64
REGULAR = 5.0  # over the preemptible price
VCPUS = (8, 16, 32, 64)
THEN = {
    "task": "training",
    "framework": "keras",
    "framework_version": "2017",
    "tuning": "tuned",
    "model": "mnist-cnn",
    "epochs": 3000,
}
TODAY = {"task": "training", "framework": "tensorflow", "model": "mnist-cnn", "epochs": 3000}
# One retired instance stands for the catalog, which cannot be left out of a question; its answers are dropped.
NOTHING_ELSE = {"instance_types": ["g2.2xlarge"], "max_nodes": 1}
FIRST_HOURS, LAST_HOURS, STEP = 1.0, 1000.0, 1.05
COLOURS = ("#1f5fa8", "#c8641e", "#3c8a4e")
STYLES = ("-", "--", "-")  # two curves lie on each other where the GPU is the answer
INK, GRID = "#333333", "#dddddd"


@dataclass(frozen=True)
class Choice:
    """The cheapest machine that surely meets a deadline, with what it costs and takes."""

    deadline: float  # h
    machine: str
    usd: float
    hours: float


def own_machines(price: float) -> list[dict[str, Any]]:
    """The document's machines, processors at a multiple of the preemptible price."""
    cpus = [
        {
            "label": f"{vcpus} vCPUs",
            "cpu": "Skylake",
            "vcpus": vcpus,
            "memory_gib": 0.9 * vcpus,
            "usd_per_hour": price * PREEMPTIBLE_USD_PER_VCPU * vcpus,
        }
        for vcpus in VCPUS
    ]
    return [GPU, *cpus]


def deadlines() -> list[float]:
    """Hours from the first to the last, each a twentieth more than the one before."""
    found = [FIRST_HOURS]
    while found[-1] < LAST_HOURS:
        found.append(round(found[-1] * STEP, 3))
    return found


def choices(client: FlaskClient, workload: dict[str, Any], constraints: dict[str, Any]) -> list[Choice]:
    """The service's first choice by deadline, where there is one."""
    own = "own_machines" in constraints
    found = []
    for hours in deadlines():
        body = {"workload": workload | {"deadline": f"{hours}h"}, "constraints": constraints, "limit": 20 if own else 1}
        answer = client.post("/v1/recommendations", json=body).get_json()
        meant = [one for one in answer["recommendations"] if not own or one["cloud"] == "own"]
        if meant:
            first = meant[0]
            figures = first["estimate"]
            found.append(Choice(hours, name_of(first), figures["cost_usd"]["value"], figures["time_hours"]["value"]))
    return found


def name_of(one: dict[str, Any]) -> str:
    """The machine as a reader knows it, with how it is rented where it can be chosen."""
    rented = "" if one["cloud"] == "own" else f", {one['purchase'].replace('_', ' ')}"
    many = "" if one["node_count"] == 1 else f"{one['node_count']} × "
    return f"{many}{one['instance_type']}{rented}"


def curves() -> dict[str, list[Choice]]:
    """Each curve by its title."""
    client = create_app(Settings(log_level="critical")).test_client()
    gcp = {"clouds": ["gcp"], "purchase": ["on_demand", "spot"]}
    return {
        "2017, processors preemptible": choices(client, THEN, {"own_machines": own_machines(1.0), **NOTHING_ELSE}),
        "2017, processors at the regular price": choices(
            client, THEN, {"own_machines": own_machines(REGULAR), **NOTHING_ELSE}
        ),
        "today, all of Google Cloud": choices(client, TODAY, gcp),
    }


def stretches(found: Sequence[Choice]) -> list[list[Choice]]:
    """Neighbouring deadlines with the same answer."""
    return [list(members) for _, members in groupby(found, key=lambda one: one.machine)]


def table(found: Sequence[Choice]) -> str:
    """The stretches as a table."""
    lines = ["| deadline from | cheapest | takes | costs |", "| ---: | --- | ---: | ---: |"]
    for members in stretches(found):
        first = members[0]
        lines.append(f"| {first.deadline:.3g} h | {first.machine} | {first.hours:.3g} h | {first.usd:.3g} USD |")
    return "\n".join(lines)


def page(found: dict[str, list[Choice]]) -> str:
    """The page's text."""
    tables = "\n\n".join(f"### {title[0].upper()}{title[1:]}\n\n{table(one)}" for title, one in found.items())
    gpu_usd, cpu_usd = GPU["usd_per_hour"], f"{64 * PREEMPTIBLE_USD_PER_VCPU:.3f}"
    return f"""# The deadline turns the answer

Written by `make figures` (`docs/figures/deadline.py`), which asks the service and types no figure by hand.

The question is that of the CPU-against-GPU study of 2017 (S2): a small convolutional network (`mnist-cnn`,
{THEN["epochs"]:,} epochs) on a K80 at {gpu_usd} USD an hour, or on 8 to 64 Skylake vCPUs with TensorFlow compiled for
them, preemptible at {cpu_usd} USD an hour for 64. A deadline counts as met when the *high* end of the estimated time
meets it: less than twice the middle for the GPU, four times for processors, whose measurements scatter more.

![Cost of the cheapest machine by deadline](figures/deadline.svg)

With days to wait few preemptible vCPUs are cheapest (S2-12, S2-13). As the deadline tightens the answer goes to more
vCPUs, up to 32, beyond which there is nothing to gain (S2-10), and then to the GPU, though its hour costs more than
any of theirs. At the regular price, five times as much, the GPU is the answer whenever it is in time (S2-12). Today,
with today's release and the whole of Google Cloud to choose from, the same network trains on small spot GPUs whatever
the deadline.

{tables}
"""


def draw(found: dict[str, list[Choice]], path: Path) -> None:
    """Cost against deadline, one line a curve; each stretch named where it begins."""
    figure = Figure(figsize=(8.0, 4.8), layout="constrained")
    axes = figure.add_subplot()
    for colour, style, (title, one) in zip(COLOURS, STYLES, found.items(), strict=True):
        hours, costs = [each.deadline for each in one], [each.usd for each in one]
        axes.step(hours, costs, style, where="post", color=colour, label=title)
        _named(axes, one, colour)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("deadline, h", fontsize=9)
    axes.set_ylabel("cost of the run on the cheapest machine in time, USD", fontsize=9)
    axes.grid(color=GRID, which="both", linewidth=0.4)
    axes.tick_params(labelsize=8)
    figure.legend(fontsize=8, loc="outside lower center", ncols=len(found))
    with mpl.rc_context({"svg.hashsalt": "deadline", "svg.fonttype": "none"}):
        FigureCanvasSVG(figure).print_svg(path, metadata={"Date": None, "Creator": None})


def _named(axes: Axes, found: Sequence[Choice], colour: str) -> None:
    for members in stretches(found):
        first = members[0]
        axes.plot(first.deadline, first.usd, "o", markersize=3, color=colour)
        axes.annotate(
            first.machine,
            (first.deadline, first.usd),
            textcoords="offset points",
            xytext=(3, 4),
            fontsize=7,
            color=INK,
        )


def main() -> None:
    """Write the page and its figure."""
    found = curves()
    draw(found, DOCS / PLOT)
    (DOCS / PAGE).write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
