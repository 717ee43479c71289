"""A workload is filled in a copy of its own, and what is changed in a value leaves the value alone."""

from __future__ import annotations

from dataclasses import replace

from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.demand.filling import Filling, changed
from plimsoll_service.engine.workload import Dataset, Workload


def test_a_changed_value_is_what_replace_makes_of_it() -> None:
    """Equal in all fields, of the same hash, and the one before is as it was."""
    before = Dataset(samples=3.0, format="jpeg")

    after = changed(before, format="png", name="mine")

    assert after == replace(before, format="png", name="mine")
    assert hash(after) == hash(replace(before, format="png", name="mine"))
    assert before == Dataset(samples=3.0, format="jpeg")


def test_filling_leaves_the_given_workload_alone() -> None:
    """Only gaps are filled, and each filling is listed once."""
    given = Workload("training", epochs=3.0)
    filling = Filling(given, Coefficients())

    filling.take("epochs", 90.0, "customary")
    filling.take("experiments", 1, "one run")

    assert (filling.workload.epochs, filling.workload.experiments) == (3.0, 1)
    assert [each.field for each in filling.assumptions] == ["experiments"]
    assert given == Workload("training", epochs=3.0)
