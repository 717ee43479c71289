"""Questions of every kind for comparing two versions of the service; a seed always gives the same ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from workloads import EXAMPLES

Body = dict[str, Any]
VISION = (
    *("resnet50", "alexnet", "vgg16", "mobilenet-v2", "vit-base", "ssd300", "unet", "mask-rcnn", "yolov8m"),
    *("inception-v3", "googlenet", "densenet121", "efficientnet-b4", "swin-base", "convnext-base", "unet-3d"),
)
SEQUENCES = ("bert-base", "bert-large", "gnmt", "t5-small", "distilbert", "transformer-xl-base", "lstm", "tacotron2")
OTHERS = ("ncf", "dlrm", "wide-and-deep", "mnist-mlp", "cifar10-cnn", "fasttext", "bilstm", "waveglow", "whisper-small")
DRAWN = ("sdxl", "stable-diffusion-1.5", "flux.1-dev")
LANGUAGE = (
    *("llama-3-8b", "llama-3-70b", "mistral-7b", "mixtral-8x7b", "gpt2", "qwen2.5-7b", "qwen2.5-32b", "gemma-2-9b"),
    *("phi-4", "deepseek-v3", "gpt-oss-20b", "gpt-oss-120b", "tinyllama-1.1b", "falcon-40b", "qwen3-30b-a3b"),
)
TABULAR = ("xgboost", "lightgbm", "random-forest", "logistic-regression")
TRAINERS = ("pytorch", "tensorflow", "keras", "mxnet", "jax", "nvcaffe", "deepspeed", "megatron", "paddle", "other")
SERVERS = ("vllm", "sglang", "tensorrt-llm", "llama.cpp", "pytorch", "neuron", "tgi", "triton-inference-server")
FAMILIES = ("cnn", "detection", "rnn", "encoder", "decoder", "moe", "diffusion", "recommender", "speech", "mlp")
CLOUDS = ("aws", "azure", "gcp", "alibaba", "runpod", "lambda", "hyperbolic", "verda", "nebius", "oci")
ACCELERATORS = (
    "T4",
    "V100-16GB",
    "A10G",
    "A100",
    "A100-80GB",
    "L4",
    "L40S",
    "H100",
    "H200",
    "B200",
    "MI300X",
    "TPU-v5e",
)
REGIONS = ("us-east-1", "eu-west-1", "eastus", "us-central1", "europe-west4", "cn-hangzhou", "ap-northeast-1")
FORMATS = (
    *("table", "csv", "env", "tfvars", "skypilot", "kubernetes", "karpenter", "sagemaker", "vertex", "azureml"),
    *("dstack", "slurm", "ray", "aws_batch", "kueue", "runs_on"),
)
TYPES = (
    *(("aws", "p3.2xlarge"), ("aws", "p4d.24xlarge"), ("aws", "g5.xlarge"), ("aws", "g4dn.12xlarge")),
    *(("aws", "c6i.8xlarge"), ("aws", "inf2.xlarge"), ("aws", "p2.xlarge"), ("gcp", "a2-highgpu-1g")),
    *(("gcp", "n1-highcpu-16"), ("azure", "Standard_NC24ads_A100_v4"), ("alibaba", "ecs.gn6v-c8g1.2xlarge")),
    *(("aws", "p5.48xlarge"), ("gcp", "g2-standard-8"), ("aws", "m7g.4xlarge"), ("aws", "trn1.32xlarge")),
)
FIXED = (
    *("/v1/models?limit=1000", "/v1/frameworks", "/v1/accelerators?limit=1000", "/v1/regions?limit=1000", "/v1/disks"),
    *("/v1/instance-types?limit=1000", "/v1/instance-types?cloud=aws&min_vcpus=64&limit=300", "/v1/rules?limit=1000"),
    *("/v1/evidence?limit=200", "/v1/evidence?model=resnet50", "/v1/rules/vcpus-per-accelerator", "/v1/rules/none"),
    *("/v1/instance-types/aws/p3.2xlarge", "/v1/instance-types/aws/none", "/v1/instance-types?accelerator=H100"),
    *("/v1/prices?cloud=aws&instance_type=p3.2xlarge", "/v1/prices?cloud=gcp&region=us-central1&limit=50", "/nothing"),
    *("/v1/prices?cloud=azure&purchase=spot&limit=20", "/v1/prices?cloud=mars", "/v1/models?family=decoder&limit=5"),
)


@dataclass(frozen=True)
class Question:
    """One request: method, path with its query, and a body or none."""

    method: str
    path: str
    body: Any = None


def questions(number: int, seed: int = 1) -> Iterator[Question]:
    """The first ``number`` questions of a seed."""
    chance = random.Random(seed)
    yield from (Question("GET", path) for path in FIXED[:number])
    kinds, weights = zip(*KINDS, strict=True)
    for _ in range(number - len(FIXED)):
        yield chance.choices(kinds, weights)[0](chance)


def recommendation(chance: random.Random) -> Question:
    """A question for recommendations, one in five in a format for scripts."""
    ending = f"?format={chance.choice(FORMATS)}" if chance.random() < 0.2 else ""
    return Question("POST", "/v1/recommendations" + ending, asked(chance))


def flat(chance: random.Random) -> Question:
    """The same as query parameters."""
    body = asked(chance, nested=False)
    parameters = {name: _word(value) for name, value in body["workload"].items() if not isinstance(value, dict)}
    parameters |= {
        name: _word(value) for name, value in body.get("constraints", {}).items() if name not in LISTS_OF_OBJECTS
    }
    parameters |= {name: body[name] for name in ("objective", "limit") if name in body}
    if chance.random() < 0.3:
        parameters["format"] = chance.choice(FORMATS)
    return Question("GET", f"/v1/recommendations?{urlencode(parameters)}")


def estimate(chance: random.Random) -> Question:
    """Question about the estimate of a workload on one given machine."""
    return Question("POST", "/v1/estimates", asked(chance, chosen=False) | {"on": hardware(chance)})


def comparison(chance: random.Random) -> Question:
    """Two to five given machines to compare."""
    on = [hardware(chance) for _ in range(chance.randint(2, 5))]
    return Question("POST", "/v1/comparisons", asked(chance, chosen=False) | {"on": on})


def batch(chance: random.Random) -> Question:
    """Some questions in one call, sometimes with a faulty one among them, sometimes many of one kind."""
    bodies = [asked(chance) for _ in range(chance.randint(1, 4))]
    if chance.random() < 0.5:
        bodies += [bodies[0] | {"limit": limit} for limit in (1, 3)]
    if chance.random() < 0.3:
        bodies.append({"workload": {"task": "training", "modle": "x"}})
    return Question("POST", "/v1/recommendations/batch", {"requests": bodies})


def fault(chance: random.Random) -> Question:
    """A question with something wrong in it."""
    body = deepcopy(asked(chance))
    place = chance.choice((body, body["workload"], body.setdefault("constraints", {})))
    name = chance.choice((*place, "modle", "epochs", "clouds", "min_vcpus", "deadline"))
    place[name] = chance.choice((-1, "", "x", [], {}, None, 1e300, "1e99GB", ["mars"], {"type": "ssd"}, True, "auto"))
    return Question("POST", chance.choice(("/v1/recommendations", "/v1/estimates")), body)


def asked(chance: random.Random, *, nested: bool = True, chosen: bool = True) -> Body:
    """A workload, often with constraints and an objective; ``chosen``: with a number of answers."""
    if nested and chance.random() < 0.05:
        return chance.choice(list(EXAMPLES.values()))
    workload = chance.choice(WORKLOADS)(chance)
    if not nested:
        workload = {name: value for name, value in workload.items() if not isinstance(value, dict)}
    for name, value in COMMON.items():
        if chance.random() < 0.12 and (workload["task"] == "training" or name == "disk"):
            workload[name] = value(chance)
    body: Body = {"workload": workload}
    wanted = {name: value(chance) for name, value in CONSTRAINTS.items() if chance.random() < 0.07}
    if wanted:
        body["constraints"] = wanted
    if chance.random() < 0.4:
        body["objective"] = chance.choice(("cost", "time", "performance_per_cost", "balanced"))
    if chosen and chance.random() < 0.3:
        body["limit"] = chance.choice((1, 2, 10, 40))
    return body


def hardware(chance: random.Random) -> Body:
    """A machine of the catalog, or bare hardware."""
    if chance.random() < 0.5:
        cloud, name = chance.choice(TYPES)
        on: Body = {"cloud": cloud, "instance_type": name}
        if chance.random() < 0.2:
            on["purchase"] = "spot"
    elif chance.random() < 0.75:
        on = {"accelerator": chance.choice(ACCELERATORS), "count": chance.choice((1, 1, 2, 4, 8))}
        on |= {"vcpus": chance.choice((8, 32, 96)), "memory_gib": chance.choice((61, 240, 1000))}
    else:
        on = {"cpu": chance.choice(("Skylake", "AMD EPYC 7763", "AWS Graviton4")), "vcpus": 32, "memory_gib": 120}
    if chance.random() < 0.3:
        on["node_count"] = chance.choice((2, 4))
    if "cloud" not in on and chance.random() < 0.3:
        on["usd_per_hour"] = chance.choice((0.5, 3.0, 20.0))
    if "accelerator" in on and chance.random() < 0.15:
        on["tensor_parallel"] = chance.choice((1, 2, 4))
    return on


def _sample_training(chance: random.Random) -> Body:
    workload: Body = {"task": "training", "model": chance.choice((*VISION, *VISION, *SEQUENCES, *OTHERS))}
    workload["dataset"] = {"samples": chance.choice((20_000, 1_281_167, 9_000_000)), "size": chance.choice(SIZES)}
    _maybe(chance, workload, epochs=(1, 10, 90), framework=TRAINERS, batch_size=(1, 16, 64, 256), experiments=(2, 8))
    _maybe(chance, workload, precision=("fp32", "mixed", "tf32", "bf16", "auto"), optimizer=("sgd", "adamw"))
    _maybe(chance, workload["dataset"], format=("jpeg", "lmdb", "recordio", "tfrecord", "memory"))
    return workload


def _token_training(chance: random.Random) -> Body:
    workload: Body = {"task": "training", "model": chance.choice(LANGUAGE), "tokens": chance.choice((1e6, 3e8, 2e10))}
    _maybe(chance, workload, method=("full", "lora", "qlora"), precision=("bf16", "mixed", "fp32", "fp8"))
    _maybe(chance, workload, sequence_length=(512, 2048, 8192), activation_recomputation=("none", "selective", "full"))
    _maybe(chance, workload, framework=TRAINERS, optimizer=("adamw", "adamw8bit", "adafactor"), batch_size=(1, 4))
    return workload


def _tabular(chance: random.Random) -> Body:
    workload: Body = {"task": chance.choice(("training", "training", "inference")), "model": chance.choice(TABULAR)}
    workload["features"] = chance.choice((10, 100, 500))
    if workload["task"] == "training":
        workload["dataset"] = {"samples": chance.choice((1e5, 1e7, 2e8))}
    else:
        _maybe(chance, workload, requests_per_second=(5, 5000), latency_ms=(20, 200))
    if workload["model"] != "logistic-regression":
        _maybe(chance, workload, trees=(50, 1000), depth=(4, 10))
    return workload


def _inference(chance: random.Random) -> Body:
    workload: Body = {"task": "inference", "model": chance.choice((*VISION, *SEQUENCES, *OTHERS, *DRAWN))}
    _maybe(chance, workload, precision=("fp32", "mixed", "int8", "fp16"), requests_per_second=(1, 200, 20_000))
    _maybe(chance, workload, latency_ms=(10, 80, 1000, 20_000), batch_size=(1, 8, 64))
    _maybe(chance, workload, framework=("pytorch", "tensorflow", "onnxruntime", "tensorrt", "openvino"))
    return workload


def _serving(chance: random.Random) -> Body:
    workload: Body = {"task": "inference", "model": chance.choice(LANGUAGE)}
    _maybe(chance, workload, input_tokens=(16, 500, 4000), output_tokens=(16, 300, 1500), framework=SERVERS)
    load = chance.choice(({}, {"requests_per_second": (0.5, 5, 60)}, {"concurrency": (4, 100)}))
    _maybe(chance, workload, latency_ms=(300, 2000, 20_000), **load)
    _maybe(chance, workload, precision=("bf16", "fp8", "int4", "auto", "int8"))
    return workload


def _preprocessing(chance: random.Random) -> Body:
    workload: Body = {"task": "preprocessing", "dataset": {"size": chance.choice(SIZES)}}
    _maybe(chance, workload["dataset"], format=("jpeg", "wav", "text", "parquet"), samples=(1e5, 5e6))
    _maybe(chance, workload, output_format=("lmdb", "tfrecord", "recordio"))
    return workload


def _hpc(chance: random.Random) -> Body:
    workload: Body = {"task": "hpc"}
    _maybe(chance, workload, flops=(1e16, 1e19), memory_gib=(4, 300), precision=("fp64", "fp32"))
    if "flops" in workload:
        _maybe(chance, workload, bytes=(1e14, 1e17), deadline=("2h", "9d"), budget_usd=(50, 9000))
    return workload


def _described(chance: random.Random) -> Body:
    model = {"family": chance.choice(FAMILIES), "parameters": chance.choice((2.5e7, 7e9))}
    workload: Body = {"task": chance.choice(("training", "inference")), "model": model}
    if model["family"] not in ("decoder", "moe"):
        model["forward_flops_per_sample"] = 8e9
    if workload["task"] == "training" and model["family"] not in ("decoder", "moe"):
        workload["dataset"] = {"samples": 1e6, "size": "100GB"}
    return workload


def _bare(chance: random.Random) -> Body:
    return {"task": chance.choice(("training", "inference", "preprocessing", "hpc"))}


def _maybe(chance: random.Random, into: Body, **choices: tuple[Any, ...]) -> None:
    """Each of the fields in half of the questions."""
    into |= {name: chance.choice(values) for name, values in choices.items() if chance.random() < 0.5}


def _word(value: Any) -> Any:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).lower() if value is True else value


def _of(*values: Any) -> Callable[[random.Random], Any]:
    return lambda chance: chance.choice(values)


def _some(*values: Any) -> Callable[[random.Random], list[Any]]:
    return lambda chance: chance.sample(values, chance.randint(1, min(3, len(values))))


SIZES = ("2GB", "140GB", "3TB")
WORKLOADS = (
    *(_sample_training, _sample_training, _sample_training, _token_training, _token_training, _tabular, _inference),
    *(_inference, _serving, _serving, _preprocessing, _hpc, _described, _bare),
)
COMMON = {
    "deadline": _of("2h", "24h", "30d"),
    "budget_usd": _of(5, 300, 20_000),
    "disk": _of({"type": "nvme"}, {"type": "ssd"}, {"type": "hdd"}, {"type": "auto"}),
    "tuning": _of("stock", "tuned"),
    "checkpoint_gib": _of(0.5, 20),
    "framework_version": _of("1.2", "2.4"),
}
LISTS_OF_OBJECTS = ("own_machines", "discounts", "quotas")
OWN = {"label": "rack", "accelerator": "V100-32GB", "count": 4, "vcpus": 40, "memory_gib": 256, "usd_per_hour": 2.0}
CONSTRAINTS = {
    "clouds": _some(*CLOUDS),
    "regions": _some(*REGIONS),
    "purchase": _of(["spot"], ["on_demand", "spot"]),
    "architectures": _of(["x86_64"], ["arm64"]),
    "cpu_vendors": _of(["AMD"], ["Intel"]),
    "instance_families": _some("p3", "p4d", "g5", "g4dn", "c6i", "n1", "a2", "inf2"),
    "instance_types": _of(["p3.2xlarge", "p4d.24xlarge"], ["g5.xlarge"]),
    "exclude": _some("p4d", "g5", "a2"),
    "exclude_clouds": _some(*CLOUDS),
    "retired": _of(True),
    "allow_porting": _of(True),
    "accelerators": _some(*ACCELERATORS),
    "min_accelerators": _of(1, 4),
    "max_accelerators": _of(0, 1, 8),
    "min_vcpus": _of(8, 64),
    "min_memory_gib": _of(32, 500),
    "min_accelerator_memory_gib": _of(16, 40, 80),
    "interconnect": _of("nvlink", "any"),
    "max_nodes": _of(1, 2, 8),
    "max_usd_per_hour": _of(1, 10, 100),
    "price_confidence": _some("list", "derived", "undated"),
    "own_machines": _of([OWN], [OWN | {"max_nodes": 3, "usd_per_hour": 0.5}]),
    "discounts": _of([{"cloud": "aws", "families": ["p4d"], "percent": 30}], [{"cloud": "gcp", "percent": 15}]),
    "quotas": _of([{"cloud": "aws", "families": ["p4d", "g5"], "max_nodes": 1}]),
}
KINDS = ((recommendation, 60), (flat, 8), (estimate, 16), (comparison, 6), (batch, 3), (fault, 6))
