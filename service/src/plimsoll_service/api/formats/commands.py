"""The command lines that a launch runs, with the engine's own arguments.

Sources of the arguments: docs.vllm.ai, "Engine Arguments" and "Parallelism and Scaling"; docs.sglang.io, "Server
Arguments"; nvidia.github.io/TensorRT-LLM, "trtllm-serve"; ggml-org/llama.cpp, tools/server/README.md; docs.pytorch.org,
"torchrun". Read 2026-11-23.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from .launch import DATA, Launch

PORT = 8000
HEALTH = "/health"  # each of the four engines answers here once the model is loaded
_RENDEZVOUS = 29500  # torchrun's own default
_ALL_LAYERS = 999  # of a model in llama.cpp: more than any has
# The words of the engines for the precision of activations; quantised weights bring their own.
_DTYPES = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "tf32": "float32"}
_AUTO = "auto"
# Methods that an engine is told of; it finds others in the weights' own configuration.
_VLLM = {name: name for name in ("awq", "gptq", "bitsandbytes", "fp8", "mxfp4", "gguf")}
_SGLANG = {name: name for name in ("awq", "gptq", "bitsandbytes", "fp8", "mxfp4", "gguf")} | {"int8": "w8a8_int8"}
_REPLICATED = ("vllm", "sglang")  # engines that have several replicas behind one port
_TORCH = frozenset((
    "pytorch", "huggingface", "deepspeed", "megatron", "llm-foundry", "torchtitan", "torchtune", "litgpt", "peft",
))  # fmt: skip
_SCRIPTS = {"training": "python train.py", "preprocessing": "python preprocess.py", "hpc": "./run.sh"}
# Images of the engines on the default registry of containers; other programs come in the user's own.
_IMAGES = {"vllm": "vllm/vllm-openai:latest", "sglang": "lmsysorg/sglang:latest"}
OWN_IMAGE = "your-image"
# Packages of the engines for machines without an image.
_PACKAGES = {"vllm": "vllm", "sglang": "sglang[all]", "tensorrt-llm": "tensorrt-llm"}


def image(launch: Launch) -> str:
    """The container image of the launch; ``OWN_IMAGE`` where it is the user's own."""
    return _IMAGES.get(launch.framework, OWN_IMAGE) if launch.task == "inference" else OWN_IMAGE


def package(launch: Launch) -> str | None:
    """The Python package of the serving engine, if it has one."""
    return _PACKAGES.get(launch.framework) if launch.task == "inference" else None


def command(launch: Launch, copies: int | None = None, port: int = PORT) -> str:
    """The shell command of one machine, or of one of its replicas with ``copies`` 1.

    Where several machines work together, it reads ``NODE_RANK`` and ``MASTER_ADDR``, which the document sets.
    """
    if launch.task != "inference":
        return _script(launch)
    engine = _ENGINES.get(launch.framework)
    if engine is None or not launch.split:
        return "python serve.py" if launch.service else "python batch.py"
    served = _served(engine, launch, launch.copies if copies is None else copies, port)
    # A job sends its requests to the engine beside it, and ends with them.
    return served if launch.service else f"( {served} & python batch.py; ended=$?; kill $!; exit $ended )"


def on_several_ports(launch: Launch) -> str | None:
    """Reason why a service with one port per machine cannot run this launch; ``None`` if it can."""
    if launch.service and launch.copies > 1 and not _behind_one_port(launch):
        return f"the {launch.copies} replicas on a machine are on ports of their own"
    return None


def off_an_endpoint(launch: Launch, tool: str, *, spot: bool = False) -> str | None:
    """Reason why a tool's endpoint cannot run this service; ``None`` if it can. ``spot``: endpoints may be on spot."""
    if launch.service and launch.spot and not spot:
        return f"{tool}'s endpoints are not on spot"
    if launch.service and launch.span > 1:
        return "a replica of an endpoint is one machine"
    return on_several_ports(launch)


def own_script(launch: Launch) -> str | None:
    """The name of the user's script in the command, if it has one."""
    scripts = (word for word in command(launch).replace(";", "").split() if word.endswith((".py", ".sh")))
    return next(scripts, None)


def on_ray(launch: Launch) -> str:
    """The command on the first machine of a Ray cluster, where Ray starts the others' part."""
    if launch.span == 1:
        return command(launch)
    if launch.task == "inference":
        return f"{command(launch).partition(' --nnodes ')[0]} --distributed-executor-backend ray"
    return _SCRIPTS[launch.task]


def set_environment(launch: Launch) -> str:
    """Shell lines that set the variables of the launch."""
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in launch.environment().items())


def _script(launch: Launch) -> str:
    script = _SCRIPTS[launch.task]
    together = launch.devices > 1 or launch.span > 1
    if launch.task != "training" or launch.framework not in _TORCH or launch.runs > 1 or not together:
        return script
    each = f"--nproc-per-node={max(launch.devices, 1)}"
    if launch.span == 1:
        return f"torchrun --standalone {each} train.py"
    place = f'--node-rank="$NODE_RANK" --master-addr="$MASTER_ADDR" --master-port={_RENDEZVOUS}'
    return f"torchrun --nnodes={launch.span} {each} {place} train.py"


def _served(engine: Callable[[Launch, int, int], str], launch: Launch, copies: int, port: int) -> str:
    if copies == 1 or _behind_one_port(launch):
        return engine(launch, copies, port)
    # An engine that has no replicas of its own is started once for each, on ports that follow each other.
    shares = [range(at * launch.split, (at + 1) * launch.split) for at in range(copies)]
    visible = [f"CUDA_VISIBLE_DEVICES={','.join(map(str, devices))}" for devices in shares]
    started = [f"{devices} {engine(launch, 1, port + at)} &" for at, devices in enumerate(visible)]
    return " ".join((*started, "wait"))


def _behind_one_port(launch: Launch) -> bool:
    """Whether one process runs all replicas; one that divides requests inside a replica runs no second one."""
    return launch.framework in _REPLICATED and _divided(launch) == 1


def _parallel(launch: Launch) -> tuple[int, int, int]:
    """Tensor and pipeline parallelism, and requests at once, of one replica."""
    serving, batch = launch.one.estimate.serving, launch.one.sizing.batch_size
    assert serving is not None
    return serving.tensor_parallel or 1, serving.pipeline_parallel or 1, batch.used if batch else 1


def _whole_experts(launch: Launch) -> int:
    """Devices that hold whole experts each; 1 where tensors of the experts are split."""
    serving = launch.one.estimate.serving
    return (serving.expert_parallel if serving else None) or 1


def _divided(launch: Launch) -> int:
    """Devices over which a replica divides its requests; 1 where it divides attention heads."""
    serving = launch.one.estimate.serving
    return (serving.attention_data_parallel if serving else None) or 1


def _dtype(launch: Launch) -> str:
    return _DTYPES.get(str(launch.workload.get("precision")), _AUTO)


def _vllm(launch: Launch, copies: int, port: int) -> str:
    tensor, pipeline, requests = _parallel(launch)
    divided = _divided(launch)
    words = [
        f'vllm serve "$MODEL" --host 0.0.0.0 --port {port}',
        f"--tensor-parallel-size {tensor // divided} --pipeline-parallel-size {pipeline}",
        f"--data-parallel-size {max(copies, divided)}" if max(copies, divided) > 1 else "",
        "--enable-expert-parallel" if _whole_experts(launch) > 1 else "",
        # Each engine of a data-parallel group counts its own requests.
        f"--max-num-seqs {-(-requests // divided)} --max-model-len {launch.max_model_len} --dtype {_dtype(launch)}",
        _flag("--quantization", _VLLM.get(str(launch.workload.get("quantization")))),
        f"--kv-cache-dtype {launch.workload.get('kv_cache_precision', _AUTO)}",
        _speculation(launch),
    ]
    if launch.span > 1:
        words.append(f'--nnodes {launch.span} --node-rank "$NODE_RANK" --master-addr "$MASTER_ADDR"')
        words.append('$([ "$NODE_RANK" = 0 ] || echo --headless)')
    return _joined(words)


def _speculation(launch: Launch) -> str:
    said = launch.workload.get("speculative_decoding")
    if not isinstance(said, dict):
        return ""
    method, tokens = said.get("method", "eagle3"), said.get("draft_tokens", 1)
    draft = "" if method in ("ngram", "mtp") else ', "model": "\'"$DRAFT_MODEL"\'"'
    return f"""--speculative-config '{{"method": "{method}", "num_speculative_tokens": {tokens}{draft}}}'"""


def _sglang(launch: Launch, copies: int, port: int) -> str:
    tensor, pipeline, requests = _parallel(launch)
    divided = _divided(launch)
    cache = {"fp8": "fp8_e4m3"}.get(str(launch.workload.get("kv_cache_precision")), _AUTO)
    words = [
        f'python3 -m sglang.launch_server --model-path "$MODEL" --host 0.0.0.0 --port {port}',
        f"--tp-size {tensor} --pp-size {pipeline}",
        f"--dp-size {divided} --enable-dp-attention" if divided > 1 else f"--dp-size {copies}" if copies > 1 else "",
        f"--ep-size {_whole_experts(launch)}" if _whole_experts(launch) > 1 else "",
        f"--max-running-requests {requests} --context-length {launch.max_model_len} --dtype {_dtype(launch)}",
        _flag("--quantization", _SGLANG.get(str(launch.workload.get("quantization")))),
        f"--kv-cache-dtype {cache}",
    ]
    if launch.span > 1:
        address = f'"$MASTER_ADDR:{_RENDEZVOUS}"'
        words.append(f'--nnodes {launch.span} --node-rank "$NODE_RANK" --dist-init-addr {address}')
    return _joined(words)


def _tensorrt_llm(launch: Launch, _: int, port: int) -> str:
    tensor, pipeline, requests = _parallel(launch)
    cache = str(launch.workload.get("kv_cache_precision"))
    words = [
        f'trtllm-serve "$MODEL" --host 0.0.0.0 --port {port} --tp_size {tensor} --pp_size {pipeline}',
        f"--max_batch_size {requests} --max_seq_len {launch.max_model_len}",
        f"--kv_cache_dtype {'fp8' if cache == 'fp8' else _AUTO}",
    ]
    return _joined(words)


def _llama_cpp(launch: Launch, _: int, port: int) -> str:
    tensor, pipeline, requests = _parallel(launch)
    said = launch.workload.get("max_model_len")
    each = int(said) if isinstance(said, int) else launch.request_tokens
    eight_bits = launch.workload.get("kv_cache_precision") in ("fp8", "int8")
    words = [
        f'llama-server --model "$MODEL" --host 0.0.0.0 --port {port}',
        f"--n-gpu-layers {_ALL_LAYERS if launch.devices else 0}",
        # The context is that of all requests together.
        f"--parallel {requests} --ctx-size {requests * each}",
        "--split-mode row" if tensor > 1 else "--split-mode layer" if pipeline > 1 else "",
        "--flash-attn on --cache-type-k q8_0 --cache-type-v q8_0" if eight_bits else "",
    ]
    return _joined(words)


def _flag(name: str, value: str | None) -> str:
    return "" if value is None else f"{name} {value}"


def _joined(words: list[str]) -> str:
    return " ".join(word for word in words if word)


_ENGINES: dict[str, Callable[[Launch, int, int], str]] = {
    "vllm": _vllm,
    "sglang": _sglang,
    "tensorrt-llm": _tensorrt_llm,
    "llama.cpp": _llama_cpp,
}

# Puts a machine's own disks together and mounts them where the work reads; disks in use are left alone.
LOCAL_DISK_SETUP = f"""\
free=""
for disk in $(lsblk -dnpo NAME,TYPE | awk '$2 == "disk" {{print $1}}'); do
  [ -n "$(lsblk -nro MOUNTPOINT "$disk" | tr -d '[:space:]')" ] || free="$free $disk"
done
set -- $free
if [ $# -gt 1 ]; then sudo mdadm --create /dev/md0 --run --level=0 --raid-devices=$# "$@" && set -- /dev/md0; fi
if [ $# -gt 0 ]; then sudo mkfs.ext4 -q -F "$1"; sudo mkdir -p {DATA}; sudo mount "$1" {DATA}; fi
sudo mkdir -p {DATA} && sudo chmod 1777 {DATA}
"""
ROOT_VOLUME_SETUP = f"sudo mkdir -p {DATA} && sudo chmod 1777 {DATA}\n"
