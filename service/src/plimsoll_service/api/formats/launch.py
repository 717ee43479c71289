"""Launch of a recommendation: service or job, machines that work together, devices, settings and disk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from .machines import LOCAL_DISK, SPOT, Machine, machine_of

DATA = "/data"  # where the work finds its disk
# Fields of the workload that the program is to be started with.
_SAID = (
    "model", "precision", "quantization", "kv_cache_precision", "method", "optimizer", "sharding",
    "activation_recomputation", "offload", "experiments",
)  # fmt: skip
_TOGETHER = ("training", "hpc")  # tasks of which several machines are one job


@dataclass(frozen=True)
class Launch:
    """A recommendation, its machine, the workload that it is for, its objective, and the launches ranked behind it."""

    one: Recommendation
    machine: Machine
    workload: Mapping[str, object]
    objective: str
    behind: tuple[Launch, ...] = ()

    @property
    def task(self) -> str:
        """The task of the workload."""
        return str(self.workload.get("task", "training"))

    @property
    def framework(self) -> str:
        """The framework or engine; ``other`` where there is none."""
        return str(self.workload.get("framework", "other"))

    @property
    def service(self) -> bool:
        """Whether it is a service, which keeps answering, and not a job, which ends."""
        return self.task == "inference" and self.one.estimate.time_hours is None

    @property
    def spot(self) -> bool:
        """Whether its machines are bought as spot."""
        return self.one.purchase == SPOT

    @property
    def runs(self) -> int:
        """Number of independent runs at the same time."""
        said = self.workload.get("experiments")
        return int(said) if isinstance(said, int | float) and said > 1 else 1

    @property
    def span(self) -> int:
        """Machines that work together: those of a replica, or of a job."""
        serving = self.one.estimate.serving
        if serving is not None and self.task == "inference":
            return serving.nodes_per_replica or 1
        return self.one.node_count if self.task in _TOGETHER and self.runs == 1 else 1

    @property
    def units(self) -> int:
        """Groups of such machines."""
        return max(self.one.node_count // self.span, 1)

    @property
    def split(self) -> int:
        """Devices of one replica of the model on one machine; 0 where the model is not split by an engine."""
        serving = self.one.estimate.serving
        if serving is None or serving.tensor_parallel is None:
            return 0
        return max(serving.tensor_parallel * (serving.pipeline_parallel or 1) // self.span, 1)

    @property
    def copies(self) -> int:
        """Replicas of the model on one machine."""
        serving = self.one.estimate.serving
        if serving is None or not self.split or self.span > 1:
            return 1
        return max(math.ceil(serving.replicas / self.one.node_count), 1)

    @property
    def devices(self) -> int:
        """Devices of one machine that are used; a share of one counts as one."""
        if self.one.accelerator is None:
            return 0
        whole = math.ceil(self.one.accelerator.count)
        return min(self.split * self.copies, whole) if self.split else whole

    @property
    def local_disk(self) -> bool:
        """Whether the work reads from the machine's own disk."""
        return self.one.sizing.disk.type == LOCAL_DISK

    @property
    def volume_gib(self) -> int:
        """Size of the volume that the machine starts from: all of the work's disk, unless that is local."""
        disk = self.one.sizing.disk
        if not self.local_disk:
            return max(math.ceil(disk.size_gib), 1)
        return max(math.ceil(disk.root_volume.size_gib), 1) if disk.root_volume else 0

    @property
    def disk_gib(self) -> int:
        """Size of the disk that the work reads from."""
        return max(math.ceil(self.one.sizing.disk.size_gib), 1)

    @property
    def usd_per_hour(self) -> float:
        """Price of all machines together."""
        return self.one.price.usd_per_hour * self.one.node_count

    @property
    def max_model_len(self) -> int | None:
        """Tokens of the longest request: the stated number, or else the longest that fits in memory."""
        if self.one.estimate.serving is None or not self.split:
            return None
        said = self.workload.get("max_model_len")
        if isinstance(said, int):
            return said
        largest = self.one.sizing.largest
        return max(self.request_tokens, largest.context_tokens if largest else 0)

    @property
    def request_tokens(self) -> int:
        """Tokens of one request with its answer."""
        return sum(int(str(self.workload.get(name, 0))) for name in ("input_tokens", "output_tokens"))

    def settings(self) -> dict[str, object]:
        """Settings that the program is started with, by variable name; ``None`` for those without a meaning here."""
        serving, training, batch = self.one.estimate.serving, self.one.estimate.training, self.one.sizing.batch_size
        return {name: self.workload.get(name) for name in _SAID} | {
            "batch_size": batch.used if batch else None,
            "global_batch_size": training.global_batch_size if training else None,
            "max_model_len": self.max_model_len,
            "tensor_parallel": serving.tensor_parallel if serving else None,
            "pipeline_parallel": serving.pipeline_parallel if serving else None,
            "replicas": serving.replicas if serving else self.one.node_count if self.service else None,
            "nodes_per_replica": serving.nodes_per_replica if serving else None,
        }

    def environment(self) -> dict[str, str]:
        """The settings as environment variables of the program, and where its disk is."""
        said = {name.upper(): _plain(value) for name, value in self.settings().items() if value is not None}
        # Where engines keep the weights that they download; source: huggingface_hub, "Environment variables".
        weights = {"HF_HOME": DATA} if self.task == "inference" else {}
        return said | {"DATA_DIR": DATA} | weights


def launch_of(answer: Answer, one: Recommendation, catalog: Catalog) -> Launch:
    """The launch of one of the answer's recommendations."""

    def alone(one: Recommendation) -> Launch:
        return Launch(one, machine_of(one, catalog), answer.workload, answer.objective)

    return replace(alone(one), behind=tuple(map(alone, answer.recommendations[one.rank :])))


def _plain(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split())  # on one line, wherever it is written
