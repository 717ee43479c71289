"""How a user wants a model to lie on the devices, where it is said."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine.workload import Hardware


@dataclass(frozen=True)
class Splits:
    """Degrees of parallelism as asked, in devices; ``None`` leaves the choice to the estimate."""

    tensor: int | None = None
    pipeline: int | None = None
    expert: int | None = None

    @property
    def stated(self) -> bool:
        """Whether anything is said: then all devices take part."""
        return any(degree is not None for degree in (self.tensor, self.pipeline, self.expert))


UNSAID = Splits()


def splits_of(on: Hardware) -> Splits:
    """What given hardware says of it."""
    return Splits(on.tensor_parallel, on.pipeline_parallel, on.expert_parallel)
