"""Generated workloads of every kind, each admissible, for tests with hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from plimsoll_service.engine.workload import OBJECTIVES, Constraints, Dataset, Disk, Query, Workload

VISION = ("resnet-50", "alexnet", "vgg16", "mobilenet-v2", "vit-b/16", "ssd300", "unet")
SEQUENCES = ("bert-base", "gnmt", "t5-small")
LANGUAGE = ("llama-3-8b", "mistral-7b", "mixtral-8x7b", "gpt2", "llama-3-70b")
TABULAR = ("xgboost", "lightgbm", "random-forest")


def maybe(values: st.SearchStrategy) -> st.SearchStrategy:
    """The value, or nothing."""
    return st.one_of(st.none(), values)


disks = st.sampled_from((None, "auto", "ssd", "hdd", "balanced")).map(lambda kind: Disk(kind))


def sizes(least: float, most: float) -> st.SearchStrategy[float]:
    """Whole numbers over several orders of magnitude."""
    return st.integers(int(least), int(most)).map(float)


def data(
    samples: tuple[float, float], each: tuple[float, float], formats: tuple[str, ...]
) -> st.SearchStrategy[Dataset]:
    """A data set with that many bytes for each sample."""
    return st.builds(
        lambda count, size, form: Dataset(size_bytes=count * size, samples=count, format=form),
        sizes(*samples),
        sizes(*each),
        st.sampled_from(formats),
    )


image_data = data((1e4, 5e6), (2e4, 5e5), ("jpeg", "lmdb", "recordio"))
text_data = data((1e4, 5e6), (100, 5e4), ("text",))
table_data = data((1e5, 1e8), (50, 5e3), ("csv", "parquet"))

sample_training = st.builds(
    Workload,
    task=st.just("training"),
    model=st.sampled_from(VISION),
    precision=maybe(st.sampled_from(("fp32", "mixed", "tf32", "fp16", "bf16"))),
    batch_size=maybe(st.sampled_from((1, 16, 64, 256))),
    dataset=image_data,
    epochs=st.sampled_from((1.0, 10.0, 90.0)),
    disk=disks,
    tuning=maybe(st.sampled_from(("stock", "tuned"))),
    optimizer=maybe(st.sampled_from(("sgd", "adamw"))),
    experiments=maybe(st.integers(1, 12)),
    checkpoint_gib=maybe(st.just(0.5)),  # a large one on a volume that grows with the data is written faster
)
sequence_training = st.builds(
    Workload,
    task=st.just("training"),
    model=st.sampled_from(SEQUENCES),
    precision=maybe(st.sampled_from(("fp32", "mixed"))),
    dataset=text_data,
    epochs=st.sampled_from((1.0, 3.0)),
    disk=disks,
)
token_training = st.builds(
    Workload,
    task=st.just("training"),
    model=st.sampled_from(LANGUAGE),
    method=maybe(st.sampled_from(("full", "lora", "qlora"))),
    precision=maybe(st.sampled_from(("bf16", "mixed"))),
    tokens=sizes(1e6, 1e10),
    sequence_length=maybe(st.sampled_from((512, 1024))),
    activation_recomputation=maybe(st.sampled_from(("none", "selective", "full"))),
    disk=disks,
)
tabular_training = st.builds(
    Workload,
    task=st.just("training"),
    model=st.sampled_from(TABULAR),
    dataset=table_data,
    features=st.integers(5, 500),
    trees=maybe(st.integers(10, 1000)),
    depth=maybe(st.integers(3, 12)),
    disk=disks,
)
preprocessing = st.builds(
    Workload,
    task=st.just("preprocessing"),
    dataset=image_data,
    output_format=maybe(st.sampled_from(("lmdb", "tfrecord"))),
    disk=disks,
)
hpc = st.builds(
    Workload,
    task=st.just("hpc"),
    precision=maybe(st.sampled_from(("fp64", "fp32"))),
    flops=sizes(1e15, 1e20),
    bytes=maybe(sizes(1e12, 1e18)),
    memory_gib=maybe(st.sampled_from((4.0, 64.0, 300.0))),
    checkpoint_gib=maybe(st.just(8.0)),
)
inference = st.builds(
    Workload,
    task=st.just("inference"),
    model=st.sampled_from((*VISION, "bert-base")),
    precision=maybe(st.sampled_from(("fp32", "mixed", "int8"))),
    requests_per_second=maybe(st.sampled_from((1.0, 200.0, 20_000.0))),
    latency_ms=maybe(st.sampled_from((5.0, 50.0, 1000.0))),
)
serving = st.builds(
    Workload,
    task=st.just("inference"),
    model=st.sampled_from(LANGUAGE),
    precision=maybe(st.sampled_from(("bf16", "fp8", "int4"))),
    input_tokens=st.sampled_from((16, 300, 700)),
    output_tokens=st.sampled_from((16, 300)),
    requests_per_second=maybe(st.sampled_from((0.5, 5.0, 60.0))),
    latency_ms=maybe(st.sampled_from((300.0, 2000.0, 20_000.0))),
)
tabular_inference = st.builds(
    Workload,
    task=st.just("inference"),
    model=st.sampled_from(TABULAR),
    requests_per_second=maybe(st.sampled_from((10.0, 1e5, 1e7))),
    trees=maybe(st.integers(10, 1000)),
)

inference_jobs = st.builds(
    Workload,
    task=st.just("inference"),
    model=st.sampled_from(("resnet-50", "bert-base", "whisper-large-v3", "llama-3-8b", "xgboost")),
    requests=sizes(1e4, 1e9),
    latency_ms=maybe(st.just(20_000.0)),
    disk=disks,
)
days = st.builds(
    Workload,
    task=st.just("inference"),
    model=st.sampled_from(("resnet-50", "bert-base", "llama-3-8b", "xgboost")),
    requests_per_second_by_hour=st.lists(st.sampled_from((0.0, 0.5, 5.0, 40.0)), min_size=24, max_size=24)
    .filter(any)
    .map(tuple),
    spare_replicas=maybe(st.sampled_from((1, 3))),
)

jobs = st.one_of(
    sample_training, sequence_training, token_training, tabular_training, preprocessing, hpc, inference_jobs
)
services = st.one_of(inference, serving, tabular_inference, days)
workloads = st.one_of(jobs, services)
purchases = st.sampled_from((None, ("on_demand",), ("spot",), ("on_demand", "spot")))
objectives = st.sampled_from(OBJECTIVES)


def queries(of: st.SearchStrategy[Workload] = workloads) -> st.SearchStrategy[Query]:
    """Queries of those workloads under any purchase option and objective."""
    return st.builds(
        Query,
        workload=of,
        constraints=st.builds(Constraints, purchase=purchases),
        objective=objectives,
        limit=st.just(100),
    )
