"""Conditions that any answer must meet, regardless of its recommendation."""

from __future__ import annotations

from typing import Any


def recommendations(answer: dict[str, Any]) -> None:
    """Check for at least one machine, ranked from 1, each with a price, a catalog and ordered ranges."""
    listed = answer["recommendations"]
    assert listed, f"nothing recommended; rejected: {answer['rejected']}"
    assert [item["rank"] for item in listed] == list(range(1, len(listed) + 1)), "ranks are not 1, 2, 3 …"
    assert answer["catalog"]["version"], "no catalog version"
    for item in listed:
        assert item["price"]["usd_per_hour"] > 0, f"{item['instance_type']} has no price"
        _ordered(item["estimate"])


def estimate(answer: dict[str, Any]) -> None:
    """Check for a machine that is known to be large enough, with a throughput above 0."""
    assert answer["fits"] is True, f"does not fit: {answer.get('short')}"
    assert answer["estimate"]["throughput"]["value"] > 0, "no throughput"
    _ordered(answer["estimate"])


def prices(answer: dict[str, Any], expected: dict[str, Any]) -> None:
    """Check for the one requested price, unchanged since it was first seen."""
    assert answer["items"] == [expected], f"{answer['items']} instead of {expected}"


def instance_types(answer: dict[str, Any], accelerator: str) -> None:
    """Check for at least one machine, and only machines with the requested accelerator."""
    assert answer["items"], f"no instance type has {accelerator}"
    others = {item["accelerator"]["name"] for item in answer["items"]} - {accelerator}
    assert not others, f"asked for {accelerator}, got {others}"


def _ordered(estimate: dict[str, Any]) -> None:
    for name, figure in estimate.items():
        if isinstance(figure, dict) and {"low", "value", "high"} <= figure.keys():
            assert figure["low"] <= figure["value"] <= figure["high"], f"{name}: {figure}"
