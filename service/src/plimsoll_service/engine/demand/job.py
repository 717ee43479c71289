"""A workload with every gap filled: the scalars that the estimates use, with their units."""

from __future__ import annotations

from ..anchors import Anchoring
from ..answer import Assumption
from ..coefficients import Coefficients
from ..datasets import TEXT, TEXT_BYTES_PER_TOKEN
from ..frameworks import Framework
from ..frozen import value
from ..models.profile import ModelProfile, Transformer
from ..units import GIB
from ..workload import Query, Workload

DEFAULT_MAX_NODES = 16
LINEAR = "logistic-regression"  # the learner whose figures stand for all linear models
# A value of a sparse matrix with its column (docs.scipy.org: csr_matrix, eight and four bytes); and the least bytes
# that a value and its place take in a table, a digit and a separator.
SPARSE_VALUE_BYTES, SPARSE_STORED_BYTES = 12.0, 2.0
BIN_BYTES, ROW_BYTES = 1.0, 16.0  # on a GPU: of a binned value; of a row's label, prediction and gradients


@value
class Feed:
    """Demand of each sample on processors and disk on its way in (in preprocessing also out again)."""

    samples: float  # of one pass
    stored_bytes: float  # of one pass, as stored
    passes: float
    format: str
    core_seconds: float  # of one core, per sample
    sequential: bool  # read in large pieces rather than one request a sample
    written_bytes: float = 0.0  # of all samples together

    @property
    def bytes_per_sample(self) -> float:
        return self.stored_bytes / self.samples


@value
class Job:
    """The demand. ``query`` and its workload carry the filled values; ``precision`` is never ``auto``."""

    kind: str
    serves: bool  # a service, whose requests come without an end; all other work is a job
    query: Query
    workload: Workload
    assumptions: tuple[Assumption, ...]
    profile: ModelProfile | None  # at the asked input
    known_model: bool
    framework: Framework
    program: str  # the software whose support counts, told apart where several are one framework
    precision: str
    half_falls_back: bool  # precision was ``auto``: a device without bf16 takes fp16
    weight_bits: float  # of a served weight in the mean; 0 where they are the usual ones of the precision
    tuned: bool
    software_factor: float  # speed of that framework version over today's, in serving
    software_year: float | None  # when that version came out; None where none is given or dated
    optimizer: str
    method: str
    samples: float  # to process in one experiment: samples × epochs (tokens ÷ sequence length); NaN without an end
    experiments: int
    feed: Feed | None
    answer_bytes: float  # of all texts or pictures that a job of inference writes
    host_base_gib: float  # the framework's process without data
    host_bytes_per_data_byte: float  # of the data held by the process, at most once over
    batch_limit: float  # samples of the largest sensible global batch; infinite where none is known
    mapped_share: float  # of the data that a mapped database brings into the process, as page cache
    coefficients: Coefficients
    anchoring: Anchoring | None = None  # by the user's own measurements
    software_ended: str | None = None  # since when the named software is not maintained, and what is instead
    assumed_targets: frozenset[str] = frozenset()  # stated by nobody: own machines meet them at the middle

    narrows: bool = False  # the named trainer holds frozen weights of denoisers in 8 bits where it must
    keeps_copies: bool = False  # the named trainer has a whole copy on each device, and uses the host's memory for one
    streams_weights: bool = False  # the named program keeps weights on the host that find no room on the device
    detectors_trainer: bool = False  # Ultralytics' script is named, which joins images
    one_device: bool = False  # the program is set up for one device, or may be; more take work of the user's
    usual_batch: float = 0.0  # samples of a step that are aimed at, as is usual; 0 where they follow from the machine

    @property
    def training(self) -> bool:
        return self.workload.task == "training"

    @property
    def table_gib(self) -> float:
        """GiB that a tabular learner's table takes in memory; 0 of other work."""
        if self.feed is None or self.profile is None or self.profile.tree is None:
            return 0.0
        each = SPARSE_VALUE_BYTES if self.sparse else self.profile.tree.bytes_per_value
        return self.feed.samples * self.row_values * each / GIB

    @property
    def sparse(self) -> bool:
        """Whether a linear model's rows are sparse: words of texts, or features of less than a stored bit each."""
        if self.learner != LINEAR or self.feed is None:
            return False
        return self.feed.format == TEXT or float(self.workload.features or 1) > 8 * self.feed.bytes_per_sample

    @property
    def row_values(self) -> float:
        """Values that a tabular learner holds of a row: its features, or of a sparse one what the stored bytes tell."""
        features = float(self.workload.features or 1)
        if not self.sparse or self.feed is None:
            return features
        least = TEXT_BYTES_PER_TOKEN if self.feed.format == TEXT else SPARSE_STORED_BYTES
        return min(features, max(1.0, self.feed.bytes_per_sample / least))

    @property
    def bins_gib(self) -> float:
        """GiB that a GPU holds of that table: a byte a value, and the row's label, prediction and gradients."""
        if self.feed is None:
            return 0.0
        return self.feed.samples * (float(self.workload.features or 1) * BIN_BYTES + ROW_BYTES) / GIB

    @property
    def learner(self) -> str:
        """The tabular learner whose figures hold, of a described model the usual one of its family; empty for none."""
        return self.profile.tree.learner if self.profile is not None and self.profile.tree is not None else ""

    @property
    def on_spark(self) -> bool:
        """Whether a linear model of Spark is worked on."""
        return self.framework.library == "spark" and self.learner == LINEAR

    @property
    def divides_rows(self) -> bool:
        """Whether machines share the rows of one training: Spark's linear models, which add up one gradient a pass."""
        alone = self.training and self.experiments == 1
        return alone and self.on_spark

    @property
    def data_apart(self) -> bool:
        """Whether each machine holds its part of the data alone."""
        return bool(self.workload.dataset.sharded) or not self.training or self.divides_rows

    @property
    def by_tokens(self) -> bool:
        return self.workload.tokens is not None


def profile_of(job: Job) -> ModelProfile:
    """The profile of a job that always has one."""
    assert job.profile is not None
    return job.profile


def dimensions_of(job: Job) -> Transformer:
    """The dimensions of a language model."""
    found = profile_of(job).transformer
    assert found is not None
    return found


def tokens_per_sample(profile: ModelProfile) -> float:
    """Tokens that a sample of inference counts for: of its output, where it is written token by token."""
    if profile.generation is not None:
        return profile.generation.tokens
    return float(profile.reference.sequence_length or 1)


def targets_ms(job: Job) -> dict[str, float]:
    """The targets of speed that hold, at the 95th percentile, by field."""
    workload = job.workload
    stated = {"latency_ms": workload.latency_ms, "end_to_end_ms": workload.end_to_end_ms, "tpot_ms": workload.tpot_ms}
    return {name: target for name, target in stated.items() if isinstance(target, int | float)}


ANSWERS = frozenset(("latency_ms", "end_to_end_ms"))  # targets of an answer
SLOWEST_TOKEN_MS = 1000.0  # rule slowest-token


def bounds_ms(job: Job) -> dict[str, float]:
    """The targets, and the slowest token that users get where they have no target for it."""
    targets = targets_ms(job)
    if job.serves and job.workload.concurrency is not None and "end_to_end_ms" not in targets:  # its users wait
        targets.setdefault("tpot_ms", SLOWEST_TOKEN_MS)
    return targets


def answer_target_ms(job: Job) -> float | None:
    """The time within which an answer must come, stated or assumed, where it is all that a request waits for."""
    found = targets_ms(job)
    return min((found[name] for name in ANSWERS & found.keys()), default=None)


def stated_target_ms(job: Job) -> float | None:
    """The time within which a request asks for its answer, where the answer is all that it waits for."""
    found = targets_ms(job)
    return min((found[name] for name in (ANSWERS & found.keys()) - job.assumed_targets), default=None)


def most_nodes(job: Job) -> int:
    """Return the largest node count that may be recommended."""
    asked = job.query.constraints.max_nodes
    return DEFAULT_MAX_NODES if asked is None else asked


def lone_requests(job: Job) -> bool:
    """Whether a service is judged by the time of one request alone: for ``time``, where no load is given."""
    workload, alone = job.workload, job.serves and job.query.objective == "time"
    return alone and workload.requests_per_second is None and workload.concurrency is None
