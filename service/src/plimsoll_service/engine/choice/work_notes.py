"""Reasons that belong to one kind of work: training, inference and the serving of language models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..demand import kind
from ..demand.job import Job, dimensions_of, profile_of
from ..demand.requests import HTTP_US, bring_rows, request_seconds
from ..demand.served_model import SGLANG, TENSORRT_LLM, VLLM, gathers_experts, recopied
from ..demand.training_states import states_of
from ..demand.weights import expert_parallel
from ..estimate.input.disk_orders import PLAIN_MIB_S
from ..estimate.non_neural.tabular import Request, one_by_one, request_of
from ..estimate.processor_step import lone_voice
from ..estimate.requirements import SWAPPING_S, one_copy_gib
from ..estimate.token_training.step import stock_speed
from ..frameworks import WHISPER
from ..models.stored import BITSANDBYTES
from ..rules import Remark, RuleId
from ..speculation import drafting_of
from ..support import FEW_BITS
from ..units import MS
from .details import Detail
from .rounding import amount, counted, precision_words, said, seconds_said
from .shown_estimates import unit_of

# What each stage of ZeRO shards (Rajbhandari et al. 2020).
SHARDED = ("", "optimizer states", "gradients and optimizer states", "weights, gradients and optimizer states")
DIVIDED_REQUESTS = "attention is data-parallel: each device keeps the cache of its own requests, and whole experts"
WHOLE_EXPERTS = "each device holds whole experts, as a split would cut blocks of their 8-bit weights"
UNPACKED = "each step unpacks them; awq and gptq weights have kernels that read them packed"
ENCODED = "outputs of the text encoders are computed once before"
FROZEN = ("", ENCODED, f"frozen weights are held in 8 bits (fp8 as storage), and {ENCODED}")
OFFLOADED = ("", "optimizer states lie", "weights and optimizer states lie")
READ_ONCE = "vLLM and SGLang read each once, and so does TRANSFORMERS_DISABLE_EXPERTS_DECODE_OPTIMIZATION=1"
CACHES_IN_FP8 = (VLLM, SGLANG, TENSORRT_LLM)
LARGE_CACHE = 0.25  # of what a device needs, from which its format is worth a word; a decision of this project
# The engines' arguments for attention that is data-parallel, and for whole experts on each device.
DIVIDED_FLAGS = {
    "vllm": " (--data-parallel-size {} --enable-expert-parallel)",
    "sglang": " (--dp-size {} --enable-dp-attention)",
}
EXPERT_FLAGS = {"vllm": " (--enable-expert-parallel)", "sglang": " (--ep-size {})"}


def training_layout(job: Job, one: Detail) -> Iterator[Remark]:
    """The layout of a trained model that is no whole copy on each device, and code that is slower than known."""
    if not one.layout or one.plate.chip is None:
        return
    *layout, roomier = one.layout
    if found := "; ".join(_parts(one.plate.chip.workers, *layout)):
        yield RuleId("training-layout").note(found)
    if roomier:
        yield RuleId("roomier-batch").note(
            "without recomputed activations, one sample fits; a larger batch is about as fast"
        )
    if job.kind == kind.TOKEN_TRAINING and one.plate.chip.compiler is None and (share := stock_speed(job)) < 1:
        slower = f"{said(share, 2)} of the speed of the measured trainers"
        yield RuleId("stock-models").note(f"the models of Transformers run at {slower}, whose kernels are fused")


def states_kept(job: Job) -> str:
    """Bytes a parameter where all of a language model is trained, which go by the framework; else nothing."""
    if job.kind != kind.TOKEN_TRAINING or job.method != "full":
        return ""
    states = states_of(job)
    each = said(states.each(job.optimizer), 3)
    copy = "all of them in 16 bits" if states.pure else "with weights in fp32 for the update"
    return f"; weights, gradients and optimizer states take {each} bytes a parameter, {copy}"


def _parts(
    workers: int, recomputed: float, stage: float, devices: float, tensor: float, pipeline: float, expert: float,
    in_turn: float, offload: float, frozen: float,
) -> Iterator[str]:  # fmt: skip
    if recomputed > 0:
        yield "activations are recomputed" if recomputed == 1 else "some activations are recomputed (selective)"
    if stage > 0 and devices > 1:
        yield f"{SHARDED[int(stage)]} are sharded over {devices:.0f} devices (zero{stage:.0f})"
    if tensor > 1:
        yield f"each layer is split over {tensor:.0f} devices (tensor parallel {tensor:.0f})"
        if workers > 1:
            yield f"a device is {workers} workers, so that {workers * tensor:.0f} of them share a layer"
    if in_turn and pipeline > 1:
        yield _in_turn(pipeline)
    elif pipeline > 1:
        yield f"the layers are split into {pipeline:.0f} pipeline stages"
    if expert > 1:
        yield f"the experts of each layer are spread over {expert:.0f} devices (expert parallel {expert:.0f})"
    if frozen:
        yield FROZEN[int(frozen)]
    if offload > 0:
        yield f"{OFFLOADED[int(offload)]} in the host's memory"


SHORT_SECONDS = 90.0  # a longer time is said in minutes
START_WORDS = ("boot", "container", "weights fetched", "weights loaded", "engine")  # in the order of ``ColdStart``


def inference_notes(job: Job, one: Detail) -> Iterator[Remark]:
    """Yield the reasons on the cold start, on a job's machines, on a day's load and on spare replicas."""
    yield from _cold_start(one)
    if job.kind in kind.INFERENCE_KINDS and not job.serves:
        does = "works through" if one.nodes == 1 else "share"
        yield RuleId("inference-job").note(f"{counted(one.nodes, 'machine')} {does} {_amount(job)}")
    if job.kind == kind.TABULAR_INFERENCE and one_by_one(job):
        yield RuleId("tabular-passes").note(_request(request_of(job)))
    if job.kind == kind.INFERENCE and one.device < one_copy_gib(job):
        hold = f"{one.devices:.0f} devices hold them and answer each batch together"
        yield RuleId("spread-tables").note(f"no device holds the tables alone: {hold}")
    if job.kind == kind.INFERENCE and one.plate.chip is not None and one.host_model > 0:
        each = one.host_model / one.devices
        held = f"the host's memory holds {each:.1f} GiB of weights for each device"
        turns = f"{held}, whose parts take turns there: {said(each * SWAPPING_S, 2)} s a batch"
        brings = f"{held}, and the program copies to the device what fits: the estimate includes this"
        yield RuleId("parts-in-turn").note(brings if job.streams_weights else turns)
    if job.kind == kind.INFERENCE:
        yield from _process_notes(job, one)
    if one.by_hour:
        least, most = min(one.by_hour), max(one.by_hour)
        many = f"{least:.0f} to {counted(most, 'machine')}" if least < most else f"{counted(most, 'machine')} all day"
        yield RuleId("day-load").note(f"{many}{_starts(one)}; usd_per_hour is the mean of the day")
    if job.workload.spare_replicas:
        spare = counted(float(job.workload.spare_replicas), "spare replica")
        yield RuleId("spare-replicas").note(f"{counted(one.nodes, 'machine')}, with {spare}")


def _cold_start(one: Detail) -> Iterator[Remark]:
    """The time until a new machine answers; where nobody states how fast its disk is, that is assumed."""
    named = dict(zip(START_WORDS, one.start, strict=True)) if one.start else {}
    if parts := [f"{words} {seconds_said(part, SHORT_SECONDS)}" for words, part in named.items() if part >= 1]:
        text = f"a new machine answers after {seconds_said(sum(one.start), SHORT_SECONDS)}: {', '.join(parts)}"
        if one.product < 0 and not one.local_disk and one.plate.rented and named["weights fetched"] >= 1:
            text += f"; nobody states how fast its disk is, so {PLAIN_MIB_S:.0f} MiB/s is assumed"
        yield RuleId("cold-start").note(text)


def _starts(one: Detail) -> str:
    """The starts of a day, which are paid, in words."""
    starts = sum(max(now - before, 0.0) for before, now in pairwise((one.by_hour[-1], *one.by_hour)))
    each, paid = "it is" if starts == 1 else "each is", seconds_said(sum(one.start), SHORT_SECONDS)
    return f"; {counted(starts, 'start')} a day: {each} paid {paid} before it serves" if starts else ""


def _process_notes(job: Job, one: Detail) -> Iterator[Remark]:
    """Yield the reasons on HTTP, and on the one process in front of a device, of which more may fit."""
    profile = profile_of(job)
    if job.serves and bring_rows(job.workload, profile):
        took = f"a request takes {said(HTTP_US / 1e3, 2)} ms of a reference core of the host for HTTP"
        yield RuleId("http-request").note(f"{took}; several rows a request (batch_size) share it")
    if seconds := request_seconds(job):
        took = f"each request takes {said(seconds * MS, 2)} ms in the API process of the engine"
        yield RuleId("http-request").note(f"{took}; send several texts per request, or raise --api-server-count")
    if job.framework.lone_device and one.devices > 1:
        alone = f"a process of {job.framework.title} serves one device"
        each = f"start {one.devices:.0f} on each machine, behind a load balancer"
        yield RuleId("process-per-device").note(f"{alone}: {each}")
    idle = profile.name in WHISPER or (profile.one_text and job.workload.tuning == "stock")
    if idle and one.plate.chip is not None and one.device > 0:
        several = int(min(one.usable_device / one.device, one.plate.vcpus / max(one.devices, 1.0)))
        if several > 1:
            words = f"each device has room for {several} processes; the estimate is for one"
            leaves = "which leaves the device idle while it prepares and launches"
            yield RuleId("processes-per-device").note(f"{words}, {leaves}")
    elif lone_voice(job) and one.plate.chip is None and one.vcpus < one.plate.vcpus:
        words = f"one process of this model works on {counted(one.vcpus, 'vCPU')}; the estimate is for one"
        yield RuleId("processes-per-device").note(f"{words}; several side by side use all vCPUs")


def _request(request: Request) -> str:
    http, call, rows = (said(us / 1e3, 2) for us in (request.http_us, request.call_us, request.rows * request.row_us))
    parts = f"{http} ms of a reference core for HTTP, {call} for the call and {rows} for {counted(request.rows, 'row')}"
    return f"a request takes {parts}; several rows a request (batch_size) share the first two"


def _amount(job: Job) -> str:
    """Amount of inference with an end, in the words of the request."""
    workload = job.workload
    for many, words in ((workload.hours_of_audio, "hours of audio"), (workload.requests, "requests")):
        if many is not None:
            return f"{said(many)} {words}"
    if workload.tokens is not None and job.kind == kind.SERVING:
        return f"{said(workload.tokens)} output tokens"
    return f"{said(workload.tokens or job.samples)} {unit_of(job).removesuffix('/s')}"


def _in_turn(devices: float) -> str:
    return f"the layers lie on {devices:.0f} devices, which work one after another (device_map)"


def served_notes(job: Job, one: Detail, precision: str) -> Iterator[Remark]:
    """Yield how the weights are stored, how a replica is split, what is not computed one by one, and what loads it."""
    stored = job.workload.quantization
    if stored is not None:
        unpacked = f"; {UNPACKED}" if stored == BITSANDBYTES and precision in FEW_BITS else ""
        yield RuleId("stored-weights").note(f"{stored} weights in {precision_words(precision)}{unpacked}")
    if one.tensor_parallel * one.stages > 1:
        split, engine = int(one.tensor_parallel), job.workload.framework or ""
        experts = expert_parallel(job, profile_of(job), split) or 1
        whole = f"; {WHOLE_EXPERTS}{EXPERT_FLAGS.get(engine, '').format(experts)}" if experts > 1 else ""
        if one.divided > 1:
            whole = f"; {DIVIDED_REQUESTS}{DIVIDED_FLAGS.get(engine, '').format(split)}"
        lies = one.stages > 1 >= one.tensor_parallel and recopied(job)
        yield RuleId("serving-layout").note(_in_turn(one.stages) if lies else f"{layout_of(one)}{whole}")
    if one.plate.chip is not None and one.batch > 1 and gathers_experts(job, dimensions_of(job)):
        yield RuleId("copied-experts").note(f"each step copies the experts of every token; {READ_ONCE}")
    yield from _narrower_cache(job, one)
    cached, asked = job.workload.prefix_cache_hit_rate, job.workload.speculative_decoding
    if cached:
        yield RuleId("prefix-cache").note(f"{cached:.0%} of the input tokens are cached, and not computed")
    if asked is not None and asked.method is not None and asked.draft_tokens and asked.acceptance_rate is not None:
        kept = drafting_of(asked.method, asked.draft_tokens, asked.acceptance_rate).kept
        yield RuleId("speculative-decoding").note(
            f"a step drafts {asked.draft_tokens} tokens and yields {kept:.2f} in the mean"
        )
    if one.plate.chip is not None:
        text = f"the host's memory holds the weights while they are loaded: {one.host:.1f} GiB with the server"
        if one.plate.chip.unified:
            text = f"device and processor share one memory: {one.host:.1f} GiB of it are the system's and the server's"
        yield RuleId("host-memory").note(text)


def _narrower_cache(job: Job, one: Detail) -> Iterator[Remark]:
    """What a cache of 8 bits would save, where it is large and the device has units for FP8."""
    chip, engine = one.plate.chip, job.framework.serving
    if job.workload.kv_cache_precision != "auto" or chip is None or engine not in CACHES_IN_FP8:
        return
    if chip.float8 > 0 and one.kv_cache > LARGE_CACHE * one.device:
        yield RuleId("cache-in-8-bits").note(
            f"the cache takes {amount(one.kv_cache)} of each device, and half of that in FP8; "
            "state kv_cache_precision fp8 to use it"
        )


def layout_of(one: Detail) -> str:
    """How the devices of a replica share the model, in words."""
    over = f"tensors over {counted(one.tensor_parallel, 'device')}"
    stages = f", layers over {counted(one.stages, 'stage')}" if one.stages > 1 else ""
    apart = f" on {counted(one.span, 'machine')}" if one.span > 1 else ""
    return f"each replica: {over}{stages}{apart}"
