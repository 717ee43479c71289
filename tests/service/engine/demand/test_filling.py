"""Filling the gaps of a workload: what is given stays, what is filled is listed."""

from __future__ import annotations

from plimsoll_service.engine.answer import Assumption
from plimsoll_service.engine.demand.filling import Filling
from plimsoll_service.engine.workload import Workload


def test_a_gap_is_filled_and_listed():
    """The value is taken, with its why among the assumptions."""
    filling = Filling(Workload("training"))
    filling.take("optimizer", "sgd", "customary")
    assert filling.workload == Workload("training", optimizer="sgd")
    assert filling.assumptions == [Assumption("optimizer", "sgd", "customary")]


def test_what_is_given_is_not_filled():
    """A stated field stays, and nothing is assumed of it."""
    filling = Filling(Workload("training", optimizer="adamw"))
    filling.take("optimizer", "sgd", "customary")
    assert (filling.workload.optimizer, filling.assumptions) == ("adamw", [])


def test_the_given_workload_is_left_as_it_was():
    """Whoever asked still sees what was asked."""
    given = Workload("training")
    filling = Filling(given)
    filling.put(model="resnet50", epochs=3.0)
    assert given == Workload("training")
    assert filling.workload == Workload("training", model="resnet50", epochs=3.0)
