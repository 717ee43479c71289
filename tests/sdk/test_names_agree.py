"""The package's types and the service's contract agree, name by name."""

from __future__ import annotations

import dataclasses
import runpy
from pathlib import Path
from typing import Any

import pytest

from plimsoll import figures, models, offers, resources
from plimsoll_service.api.evidence import EvidenceItem
from plimsoll_service.api.instance_types import InstanceTypeItem
from plimsoll_service.api.prices import PriceChange
from plimsoll_service.api.reference_data import AcceleratorItem, DiskItem, FrameworkItem, ModelItem, RegionItem
from plimsoll_service.engine import answer, quantities
from plimsoll_service.evidence.rules import Rule as EngineRule
from plimsoll_service.prices.source import KeptSnapshot, PriceRecord

SDK = Path(__file__).resolve().parents[2] / "sdk"


def test_inputs_are_what_the_contract_says() -> None:
    """Fields, words and filters of the inputs equal the contract's; `make inputs` writes them."""
    writer = runpy.run_path(str(SDK / "write_inputs.py"))

    assert writer["Contract"]().text() == writer["FILE"].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (models.Answer, answer.Answer),
        (models.Recommendation, answer.Recommendation),
        (models.FrontierPoint, answer.FrontierPoint),
        (models.Relax, answer.Relax),
        (models.HardwareEstimate, answer.HardwareEstimate),
        (models.Comparison, answer.Comparison),
        (models.ComparedMachine, answer.ComparedMachine),
        (figures.Estimate, quantities.Estimate),
        (figures.Serving, quantities.Serving),
        (figures.Spot, quantities.Spot),
        (figures.Training, quantities.Training),
        (figures.Sizing, quantities.Sizing),
        (figures.Need, quantities.MemoryNeed),
        (figures.Need, quantities.AcceleratorMemoryNeed),
        (figures.DiskSizing, quantities.DiskSizing),
        (figures.Price, quantities.Price),
        (figures.Meets, answer.Meets),
        (resources.InstanceType, InstanceTypeItem),
        (resources.Accelerator, AcceleratorItem),
        (resources.Model, ModelItem),
        (resources.Framework, FrameworkItem),
        (resources.Region, RegionItem),
        (resources.DiskProduct, DiskItem),
        (offers.OfferPrice, PriceRecord),
        (offers.PriceChange, PriceChange),
        (offers.PriceSnapshot, KeptSnapshot),
        (resources.Rule, EngineRule),
        (resources.Measurement, EvidenceItem),
    ],
)
def test_results_have_the_fields_that_the_service_answers(ours: Any, theirs: Any) -> None:
    """Every field of an answer has a typed field."""
    assert {field.name for field in dataclasses.fields(theirs)} - {
        field.name for field in dataclasses.fields(ours)
    } == set()
