"""Cost of a training run against its deadline, as the service answers: docs/deadline.md and its figure.

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
# A question cannot leave out the catalog: one retired instance type stands for it, and its answers are dropped.
NOTHING_ELSE = {"instance_types": ["g2.2xlarge"], "max_nodes": 1}
FIRST_HOURS, LAST_HOURS, STEP = 1.0, 1000.0, 1.05
COLOURS = ("#1f5fa8", "#c8641e", "#3c8a4e")
STYLES = ("-", "--", "-")  # two curves coincide where the GPU is the answer
INK, GRID = "#333333", "#dddddd"


@dataclass(frozen=True)
class Choice:
    """The cheapest machine whose high estimate meets a deadline, with its cost and time."""

    deadline: float  # h
    machine: str
    usd: float
    hours: float


def own_machines(price: float) -> list[dict[str, Any]]:
    """The study's machines, with processors at a multiple of the preemptible price."""
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
    """Hours from the first to the last, in steps of 5%."""
    found = [FIRST_HOURS]
    while found[-1] < LAST_HOURS:
        found.append(round(found[-1] * STEP, 3))
    return found


def choices(client: FlaskClient, workload: dict[str, Any], constraints: dict[str, Any]) -> list[Choice]:
    """First recommendation for each deadline that any machine meets."""
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
    """Name of the machine, with its purchase option on a cloud."""
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
    """Groups of successive deadlines with the same answer."""
    return [list(members) for _, members in groupby(found, key=lambda one: one.machine)]


def table(found: Sequence[Choice]) -> str:
    """The groups as a Markdown table."""
    lines = ["| deadline from | cheapest | takes | costs |", "| ---: | --- | ---: | ---: |"]
    for members in stretches(found):
        first = members[0]
        lines.append(f"| {first.deadline:.3g} h | {first.machine} | {first.hours:.3g} h | {first.usd:.3g} USD |")
    return "\n".join(lines)


def page(found: dict[str, list[Choice]]) -> str:
    """Text of the page."""
    tables = "\n\n".join(f"### {title[0].upper()}{title[1:]}\n\n{table(one)}" for title, one in found.items())
    gpu_usd, cpu_usd = GPU["usd_per_hour"], f"{64 * PREEMPTIBLE_USD_PER_VCPU:.3f}"
    return f"""# Cost against deadline

`make figures` (`docs/figures/deadline.py`) writes this page from the service's answers.

The question comes from the CPU-against-GPU study of 2017 (S2).
It trains a small convolutional network (`mnist-cnn`, {THEN["epochs"]:,} epochs), either on a K80 or on processors.
The K80 costs {gpu_usd} USD an hour.
The processors are 8 to 64 Skylake vCPUs, with TensorFlow compiled for them.
As preemptible capacity, 64 of them cost {cpu_usd} USD an hour.
A machine meets a deadline if the *high* end of its estimated time does.
For processors, the high end is farther from the estimate than for the GPU, because their measurements scatter more.

![Cost of the cheapest machine by deadline](figures/deadline.svg)

If the deadline is days away, a few preemptible vCPUs are cheapest (S2-12, S2-13).
A tighter deadline needs more vCPUs, but more than 32 gain nothing (S2-10).
For a still tighter deadline, the GPU is cheapest, although it costs more per hour.
The regular price of processors is five times as high.
At that price, the GPU is cheapest whenever it meets the deadline (S2-12).
The last curve uses today's release of TensorFlow and all of Google Cloud.
There, small spot GPUs are cheapest for every deadline.

{tables}
"""


def draw(found: dict[str, list[Choice]], path: Path) -> None:
    """Draw cost against deadline, with the machine's name where each group begins."""
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
