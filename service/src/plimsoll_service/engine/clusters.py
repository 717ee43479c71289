"""Clusters: a machine, how many of it share the work, and the degrees of parallelism that a user asks for."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.workload import Hardware


@dataclass(frozen=True)
class Splits:
    """Degrees of parallelism as asked, in devices; ``None`` leaves the choice to the estimate.

    ``named``: the user names the hardware, on which a stated batch runs as it is wherever it may fit at all; elsewhere
    it is laid out so that it fits well.
    """

    tensor: int | None = None
    pipeline: int | None = None
    expert: int | None = None
    named: bool = False

    @property
    def stated(self) -> bool:
        """Whether anything is said: then all devices take part."""
        return any(degree is not None for degree in (self.tensor, self.pipeline, self.expert))


UNSAID = Splits()


def splits_of(on: Hardware) -> Splits:
    """The degrees stated for hardware that the user names."""
    return Splits(on.tensor_parallel, on.pipeline_parallel, on.expert_parallel, named=True)


@dataclass(frozen=True, eq=False)
class Clusters:
    """The candidates as the estimates see them, one row each: a machine, and how many of it share the work."""

    machines: Machines
    nodes: Floats | None  # None where the estimate itself sets the number
    splits: Splits = UNSAID

    @property
    def fixed_nodes(self) -> Floats:
        """The numbers, of work that does not set them."""
        assert self.nodes is not None
        return self.nodes
