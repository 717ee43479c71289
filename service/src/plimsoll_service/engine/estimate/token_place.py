"""Where the parts of a language model lie: degrees of parallelism, and a device's share of the parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.splits import Splits
from plimsoll_service.engine.estimate.token_software import COPIES, SHARDED
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.profile import Transformer


@dataclass(frozen=True, eq=False)
class Place:
    """Degrees of one layout, one row a machine; ``replicas`` times tensor times pipeline are its devices."""

    tensor: Floats
    pipeline: Floats
    expert: Floats
    replicas: Floats
    sharded: Floats  # 1 where everything is spread over the replicas
    optimizer_spread: Floats  # 1 where the optimizer states are

    @property
    def devices(self) -> Floats:
        """Devices of one run."""
        return self.tensor * self.pipeline * self.replicas

    @property
    def split(self) -> Floats:
        """Devices that share one replica's work."""
        return self.tensor * self.pipeline

    def state_share(self, dense: float, experts: float) -> Floats:
        """Of dense and expert parameters, what one device holds."""
        if experts == 0:
            return 1 / np.where(self.sharded > 0, self.devices, self.split)
        whole = (dense + experts) * self.pipeline
        own = (dense / self.tensor + experts / np.maximum(self.expert, self.tensor)) / whole
        return np.where(self.sharded > 0, 1 / self.devices, own)

    def optimizer_share(self, states: Floats) -> Floats:
        """The same of the optimizer states, from the share of the parameters."""
        return np.where(self.optimizer_spread > 0, 1 / self.devices, states)


def place(
    dims: Transformer, devices: Floats, inside: Floats, splits: Splits, sharding: str, tensor: int | None
) -> Place:
    """The layout of a sharding; ``tensor`` stands in where no degree is asked, within one machine."""
    split, stages = np.ones_like(devices), np.ones_like(devices)
    if splits.tensor is not None:
        split = np.minimum(float(splits.tensor), np.maximum(inside, 1.0))
    elif tensor is not None:  # a power of two: all devices of an odd machine share nothing evenly
        split = 2.0 ** np.floor(np.log2(np.minimum(float(tensor), np.maximum(inside, 1.0))))
    if splits.pipeline is not None:
        stages = np.clip(float(splits.pipeline), 1.0, np.maximum(np.floor(devices / split), 1.0))
    replicas = np.maximum(np.floor(devices / (split * stages)), 1.0)
    sharded = np.where((replicas > 1) & (sharding == SHARDED), 1.0, 0.0)
    spread = np.where((replicas > 1) & (sharding != COPIES), 1.0, 0.0)
    return Place(split, stages, _experts(dims, splits, split * replicas, sharded), replicas, sharded, spread)


def _experts(dims: Transformer, splits: Splits, devices: Floats, sharded: Floats) -> Floats:
    """Devices that share the experts of a layer: as asked, else all where the states are sharded, else none."""
    if dims.moe is None:
        return np.ones_like(devices)
    most = np.minimum(devices, float(dims.moe.experts))
    if splits.expert is not None:
        return np.minimum(float(splits.expert), most)
    return np.where(sharded > 0, most, 1.0)
