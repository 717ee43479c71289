"""One binding change for every field of a question, and one base question for every kind of work."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.workload import (
    Commitment,
    Constraints,
    CustomModel,
    Dataset,
    Discount,
    Disk,
    Hardware,
    OwnMeasurement,
    Quota,
    SpeculativeDecoding,
    Workload,
)

IMAGES = Dataset(size_bytes=150e9, samples=1.2e6, format="jpeg")
TABLE = Dataset(size_bytes=50e9, samples=2e8, format="parquet")
# One workload of each kind; everything that a change below could hide behind is said.
BASES = {
    kind.SAMPLE_TRAINING: Workload("training", model="resnet-50", dataset=IMAGES, epochs=10, precision="mixed"),
    kind.TOKEN_TRAINING: Workload("training", model="llama-3-8b", method="lora", tokens=5e7, sequence_length=1024),
    kind.TABULAR_TRAINING: Workload("training", model="xgboost", dataset=TABLE, features=100),
    kind.SERVING: Workload("inference", model="llama-3-8b", input_tokens=500, output_tokens=200),
    kind.INFERENCE: Workload("inference", model="resnet-50"),
    kind.TABULAR_INFERENCE: Workload("inference", model="xgboost"),
    kind.PREPROCESSING: Workload("preprocessing", dataset=IMAGES, output_format="tfrecord"),
    kind.HPC: Workload("hpc", precision="fp64", flops=1e19, memory_gib=64),
}


@dataclass(frozen=True)
class Change:
    """A field's new value, and the other fields that both questions need for it to have an effect."""

    value: object
    also: dict[str, object] = field(default_factory=dict)
    constraints: Constraints = field(default_factory=Constraints)


CORES = Hardware(cpu="Skylake", vcpus=32.0, memory_gib=256.0)
SPOT = Constraints(purchase=("spot",))
WORKLOAD: dict[str, Change] = {
    "task": Change("hpc"),
    "framework": Change("mxnet"),
    "framework_version": Change("1.4", {"framework": "pytorch"}),
    "tuning": Change("tuned"),
    "model": Change("vgg16"),
    "precision": Change("fp32"),
    "quantization": Change("awq"),
    "batch_size": Change(2),
    "global_batch_size": Change(48),
    "dataset": Change(Dataset(size_bytes=3e12, samples=2e7, format="jpeg")),
    "epochs": Change(33.0),
    "deadline_hours": Change(0.2),
    "budget_usd": Change(0.5),
    "disk": Change(Disk("hdd")),
    "image_size": Change((448,)),
    "sequence_length": Change(4096),
    "steps": Change(10),
    "optimizer": Change("adafactor"),
    "tokens": Change(9e7),
    "method": Change("qlora"),
    "lora_rank": Change(256),
    "lora_targets": Change("all"),
    "activation_recomputation": Change("full"),
    "sharding": Change("zero3"),
    "offload": Change("optimizer"),
    "input_tokens": Change(3000),
    "output_tokens": Change(900),
    "max_model_len": Change(150_000),
    "kv_cache_precision": Change("fp8"),
    "concurrency": Change(700),
    "requests_per_second": Change(5e4),
    "requests_per_second_by_hour": Change((5e3,) * 12 + (5e4,) * 12),
    "spare_replicas": Change(1, {"requests_per_second": 500.0}),
    "requests": Change(7e7, {"requests": 1e7}),
    "hours_of_audio": Change(5e3, {"model": "whisper-large-v3"}),
    "latency_ms": Change(30.0),
    "prefix_cache_hit_rate": Change(0.6),
    "speculative_decoding": Change(SpeculativeDecoding("eagle3")),
    "tpot_ms": Change(20.0),
    "end_to_end_ms": Change(30.0),
    "experiments": Change(7),
    "flops": Change(3e19),
    "bytes": Change(1e20),
    "memory_gib": Change(900.0),
    "trees": Change(777),
    "depth": Change(11),
    "features": Change(40),
    "output_format": Change("lmdb"),
    "checkpoint_gib": Change(400.0),
    "checkpoint_interval_minutes": Change(1.0, {"checkpoint_gib": 40.0}),
    "interruptions_per_hour": Change(0.9, constraints=SPOT),
    "measurements": Change((OwnMeasurement(CORES, 400.0),)),
}
OF_KIND: dict[tuple[str, str], Change] = {
    ("task", kind.HPC): Change("preprocessing", {"precision": None, "flops": None, "memory_gib": None}),
    ("task", kind.SAMPLE_TRAINING): Change("inference", {"epochs": None}),
    ("framework", kind.SERVING): Change("tensorrt-llm"),
    ("framework", kind.TABULAR_TRAINING): Change("lightgbm"),
    ("framework", kind.PREPROCESSING): Change("mxnet", {"output_format": None}),
    ("model", kind.TOKEN_TRAINING): Change("llama-2-13b"),
    ("model", kind.SERVING): Change("llama-2-13b"),
    ("model", kind.TABULAR_TRAINING): Change("random-forest"),
    ("model", kind.TABULAR_INFERENCE): Change("random-forest"),
    ("precision", kind.TOKEN_TRAINING): Change("fp32"),
    ("precision", kind.SERVING): Change("int4"),
    ("dataset", kind.TABULAR_TRAINING): Change(Dataset(size_bytes=90e9, samples=4e8, format="parquet")),
    ("dataset", kind.TOKEN_TRAINING): Change(Dataset(size_bytes=90e9, format="text"), {"tokens": None}),
    ("sequence_length", kind.SAMPLE_TRAINING): Change(256, {"model": "bert-base", "epochs": 3}),
    ("sequence_length", kind.INFERENCE): Change(256, {"model": "bert-base"}),
    ("steps", kind.SAMPLE_TRAINING): Change(10, {"model": "sdxl"}),
    ("steps", kind.INFERENCE): Change(10, {"model": "sdxl"}),
    ("tokens", kind.SAMPLE_TRAINING): Change(1e9, {"model": "bert-base", "dataset": Dataset(), "epochs": None}),
    ("epochs", kind.TOKEN_TRAINING): Change(5.0, {"tokens": None, "dataset": Dataset(size_bytes=1e9)}),
    ("deadline_hours", kind.PREPROCESSING): Change(0.5),
    **{("deadline_hours", what): Change(0.4, {"requests": 1e9}) for what in kind.INFERENCE_KINDS},
    **{("budget_usd", what): Change(0.02, {"requests": 1e9}) for what in kind.INFERENCE_KINDS},
    **{
        ("interruptions_per_hour", what): Change(0.9, {"requests": 1e9}, SPOT)
        for what in (kind.SERVING, kind.INFERENCE)
    },
    ("interruptions_per_hour", kind.TABULAR_INFERENCE): Change(0.9, {"requests": 1e12}, SPOT),
    ("tokens", kind.INFERENCE): Change(1e9, {"model": "bert-base"}),
    ("spare_replicas", kind.SERVING): Change(1, {"requests_per_second": 9.0}),
    ("latency_ms", kind.TABULAR_INFERENCE): Change(0.0001),
    ("end_to_end_ms", kind.TABULAR_INFERENCE): Change(0.0001),
    ("latency_ms", kind.SERVING): Change(250.0),
    ("end_to_end_ms", kind.SERVING): Change(5000.0),
    ("requests_per_second", kind.SERVING): Change(90.0),
    ("requests_per_second", kind.TABULAR_INFERENCE): Change(1e7),
    ("concurrency", kind.INFERENCE): Change(1),
    ("measurements", kind.SAMPLE_TRAINING): Change((OwnMeasurement(Hardware(accelerator="T4"), 90.0),)),
    ("measurements", kind.TOKEN_TRAINING): Change((OwnMeasurement(Hardware(accelerator="A100-80GB"), 900.0),)),
    ("measurements", kind.SERVING): Change((OwnMeasurement(Hardware(accelerator="A100-80GB"), 900.0),)),
    ("measurements", kind.INFERENCE): Change((OwnMeasurement(Hardware(accelerator="T4"), 900.0),)),
    ("measurements", kind.TABULAR_TRAINING): Change((OwnMeasurement(CORES, 2e5),)),
    ("measurements", kind.TABULAR_INFERENCE): Change((OwnMeasurement(CORES, 1e6),)),
    ("concurrency", kind.TABULAR_INFERENCE): Change(1),
}
DATASET: dict[str, Change] = {
    "size_bytes": Change(Dataset(size_bytes=2e12, samples=1.2e6, format="jpeg")),
    "samples": Change(Dataset(size_bytes=150e9, samples=9e6, format="jpeg")),
    "format": Change(Dataset(size_bytes=150e9, samples=1.2e6, format="memory")),
    "name": Change(Dataset(name="cifar-10")),
    "sharded": Change(replace(IMAGES, sharded=True)),
    "region": Change(replace(IMAGES, region="europe-west4")),
}
CUSTOM = CustomModel(family="cnn", parameters=6e7, forward_flops_per_sample=8e9)
LANGUAGE = CustomModel(family="decoder", parameters=8e9, layers=32, hidden_size=4096)
CUSTOM_MODEL: dict[str, tuple[Workload, CustomModel]] = {
    "family": (BASES[kind.SAMPLE_TRAINING], replace(CUSTOM, family="segmentation")),
    "parameters": (BASES[kind.SAMPLE_TRAINING], replace(CUSTOM, parameters=5e8)),
    "active_parameters": (BASES[kind.SERVING], replace(LANGUAGE, family="moe", parameters=5e10, active_parameters=6e9)),
    "forward_flops_per_sample": (BASES[kind.SAMPLE_TRAINING], replace(CUSTOM, forward_flops_per_sample=8e10)),
    "forward_flops_per_token": (BASES[kind.TOKEN_TRAINING], replace(LANGUAGE, forward_flops_per_token=4e10)),
    "layers": (BASES[kind.SERVING], replace(LANGUAGE, layers=64)),
    "hidden_size": (BASES[kind.SERVING], replace(LANGUAGE, hidden_size=2048)),
    "config": (BASES[kind.SERVING], CustomModel(config={
        "model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256, "max_position_embeddings": 8192,
    })),
}  # fmt: skip
CONSTRAINTS: dict[str, object] = {
    "clouds": ("gcp",),
    "regions": ("eu-west-1",),
    "purchase": ("spot",),
    "architectures": ("arm64",),
    "cpu_vendors": ("AMD",),
    "instance_types": ("g5.xlarge", "c7i.48xlarge"),
    "instance_families": ("g5", "m7i"),
    "exclude": ("g5", "m7i"),
    "exclude_clouds": ("aws",),
    "retired": True,
    "allow_porting": True,
    "accelerators": ("L4",),
    "min_accelerators": 2.0,
    "max_accelerators": 1.0,
    "max_total_accelerators": 1.0,
    "min_vcpus": 48.0,
    "min_memory_gib": 300.0,
    "min_accelerator_memory_gib": 70.0,
    "interconnect": "nvlink",
    "max_nodes": 1,
    "basis": ("measured",),
    "max_usd_per_hour": 0.9,
    "price_confidence": ("undated",),
    "own_machines": (
        Hardware(accelerator="A100-80GB", count=8, vcpus=96, memory_gib=900, usd_per_hour=1e-4, label="mine"),
    ),
    "discounts": (Discount("aws", 70),),
    "quotas": (Quota("aws", 0), Quota("gcp", 0)),
    "commitments": (Commitment("aws", "savings_plan", percent=70),),
}
# What a constraint must be beside for it to bind on that kind of work.
BESIDE: dict[tuple[str, str], dict[str, object]] = {
    ("max_nodes", kind.SERVING): {"requests_per_second": 90.0},
    ("max_nodes", kind.INFERENCE): {"requests_per_second": 5e4},
    ("max_nodes", kind.TABULAR_INFERENCE): {"requests_per_second": 3e5},
}
