"""A workload while its gaps are being filled, and the list of what was filled."""

from __future__ import annotations

from typing import TypeVar

from ..answer import Assumption
from ..coefficients import Coefficients
from ..datasets import KnownDataset
from ..frameworks import Framework
from ..workload import Workload

Value = TypeVar("Value")


def changed(value: Value, **fields: object) -> Value:
    """A dataclass of plain fields with some of them changed: ``dataclasses.replace`` takes five times as long."""
    made = object.__new__(type(value))
    vars(made).update(vars(value), **fields)
    return made


class Filling:
    """The workload while it is being filled, and what was filled so far."""

    def __init__(self, given: Workload, coefficients: Coefficients) -> None:
        self.workload = changed(given)
        self.coefficients = coefficients
        self.assumptions: list[Assumption] = []
        self.spelled = coefficients.frameworks.spelling(given.framework)  # key of the framework's name as given

    @property
    def known(self) -> KnownDataset | None:
        """The known data set that the workload names."""
        return self.coefficients.datasets.find(self.workload.dataset.name)

    @property
    def framework(self) -> Framework:
        """The framework as it stands, or the defaults."""
        return self.coefficients.frameworks.of(self.workload.framework)

    def take(self, name: str, value: object, why: str) -> None:
        """Fill a field that the user left out."""
        if getattr(self.workload, name) is None:
            self.put(**{name: value})
            self.note(name, value, why)

    def put(self, **filled: object) -> None:
        """Set fields without a word."""
        # In place: it is this filling's own copy, and a fresh one for each of a dozen fields would cost ten times this.
        vars(self.workload).update(filled)

    def note(self, name: str, value: object, why: str) -> None:
        """List an assumption that stands in no field of the workload."""
        self.assumptions.append(Assumption(name, value, why))
