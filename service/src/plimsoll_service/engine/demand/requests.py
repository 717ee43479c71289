"""Requests of a service, where a query leaves them open: their lengths, their target of speed, what one of them is."""

from __future__ import annotations

from dataclasses import replace

from ..frameworks import OPENAI_WHISPER, WHISPER
from ..models.families import family_of
from ..models.profile import ModelProfile
from ..models.transformers import active_parameters_of
from ..serving_coefficients import PATCH_S
from ..speculation import METHODS
from ..units import MS
from ..workload import LOSSY_PRECISIONS, NO_TARGET, Query, Workload
from . import kind
from .filling import Filling, changed
from .job import Job
from .served_model import TENSORRT_LLM

INPUT_TOKENS, OUTPUT_TOKENS = 512, 256
# MLPerf Inference, datacenter, server scenario of Llama3.1-8B: mlcommons/inference_policies, inference_rules.adoc of
# 2026-07-23. Rule: assumed-tpot.
TPOT_MS = 100.0
TPOT_WHY = (
    "milliseconds between two tokens at the 95th percentile: the limit of MLPerf's server scenario for a chat; "
    'state tpot_ms "none" for no target'
)

CHECKPOINT_CACHE = "TensorRT-LLM keeps the cache as the checkpoint says, which is FP8 in ModelOpt's usual FP8 ones"

RANKERS = ("rerank", "ms-marco", "cross-encoder")  # in the names of models that score a passage for a query
OF_PAIRS = "a request is one query-passage pair; where one ranks several, state how many pairs are scored per second"
# The server of Coqui TTS (XTTS, Bark, VITS) has a lock around its model (coqui-ai/TTS, TTS/server/server.py), whose
# inference takes one text (issues 3776 of 2024 and 4140 of 2025, closed unsolved). Kokoro's takes the phonemes of one
# (hexgrad/kokoro @129155b0, model.py).
ONE_VOICE = (
    "scripts of models that speak take one text at a time on each device; "
    "state batch_size, or tuning tuned, if yours batches"
)
# Its generate() takes one recording; pull request 4311 of openvinotoolkit/openvino.genai, of 2026-08-12 and open on
# 2026-11-28, is to add several.
ONE_RECORDING = {
    "openvino": "OpenVINO's pipeline of Whisper takes one recording at a time; state batch_size if yours batches",
    # whisper_full takes the samples of one recording (ggml-org/whisper.cpp, include/whisper.h).
    "whisper.cpp": "whisper.cpp takes one recording at a time; state batch_size if yours batches",
    # transcribe() decodes one window after the other (openai/whisper, transcribe.py, read 2026-11-28).
    **dict.fromkeys(OPENAI_WHISPER, "openai-whisper takes one recording at a time; state batch_size if yours batches"),
}
SEVERAL = "run several beside a fast device"
TEXT_ALONE = "text alone takes less"
WITH_ITS_TOKENS = "a chat turn with some context, and the tokens of the image"
TEXTS = "a prompt is of text alone; state image_size if a request brings an image"
ALL_OF_IT = "tokens of an image, whose encoder adds {more:.0%} to the work of each"
MEAN = "the encoder of the image adds {more:.0%} to the work of a token of the prompt, on the average"
MORE_IMAGES = "for more images, or frames of a video, state the tokens of all of them"
# Processor time of a request over HTTP besides the model's (connection, JSON, array), µs on a reference core. Own
# measurement on 2026-11-23, one worker on one core of AMD EPYC (Zen 4, 1.06 times the reference), 28 numbers as JSON,
# the least of three runs of 3,000 requests: with XGBoost's 100 trees Flask in gunicorn 0.96 ms, with kept connections
# 0.87, FastAPI in uvicorn 0.64; without a model 0.42, 0.41 and 0.26. The middle one, less the call. Rule: http-request.
HTTP_US = 775.0


# What is assumed, by the kind of work. Rules: assumed-tpot, assumed-answer.
ASSUMED_TARGET = {kind.SERVING: "tpot_ms", kind.INFERENCE: "end_to_end_ms"}
TARGETS = frozenset(ASSUMED_TARGET.values())
# Attention stays with a screen that answers within ten seconds: J. Nielsen, Usability Engineering, 1993, chapter 5.
ANSWER_MS = 10_000.0
ANSWER_WHY = "milliseconds for which people keep their attention on an answer that they wait for"
# MLPerf Inference, datacenter, server scenario of SDXL: mlcommons/inference_policies @ac93e89c of 2026-07-23.
PICTURE_MS = 20_000.0
PICTURE_WHY = "milliseconds until a picture is drawn at the 95th percentile: the limit of MLPerf's server scenario"
# A real-time factor of at most one: docs.rime.ai, On-prem performance, read on 2026-11-28.
AUDIO_WHY = "milliseconds of the audio itself: speech keeps up with its playback, a transcript with its recording"
NO_ANSWER_TARGET = 'state end_to_end_ms "none" for no target'


def targets_of(what: str) -> tuple[str, ...]:
    """The target of speed that is assumed for this kind of work, if any."""
    return (ASSUMED_TARGET[what],) if what in ASSUMED_TARGET else ()


def bring_rows(workload: Workload, profile: ModelProfile) -> bool:
    """Whether somebody waits for requests over HTTP that bring rows of a table."""
    return family_of(profile.family).data == "table" and somebody_waits(workload)


def somebody_waits(workload: Workload) -> bool:
    """Whether a load or a target of speed is stated."""
    asked = (workload.requests_per_second, workload.concurrency, workload.latency_ms, workload.end_to_end_ms)
    return any(figure is not None for figure in asked)


def request_seconds(job: Job) -> float:
    """Seconds of the one process in front of an engine for a request of a text to embed. Rule: http-request."""
    alone = job.workload.batch_size is None and not job.tuned and somebody_waits(job.workload)
    return job.framework.request_s if job.serves and alone else 0.0


def fill(filling: Filling, what: str, serves: bool, profile: ModelProfile | None) -> None:
    """Fill in what the requests of inference leave open."""
    if filling.workload.requests_per_second_by_hour is not None:  # sized for the peak
        filling.put(requests_per_second=max(filling.workload.requests_per_second_by_hour))
    if what == kind.SERVING:
        _lengths(filling)
        _images(filling, profile)
        filling.take("kv_cache_precision", "auto", _cache_why(filling))
        if filling.workload.batch_size is not None and not kind.has_end(filling.workload, what):
            filling.take("concurrency", filling.workload.batch_size, "for serving, the batch size is the concurrency")
        # A time between tokens that people read along with, where users are stated and no target of speed is.
        asked = filling.workload
        if kind.loaded(asked) and asked.latency_ms is None and asked.end_to_end_ms in (None, NO_TARGET):
            filling.take("tpot_ms", TPOT_MS, TPOT_WHY)
        _drafting(filling)
    if what == kind.INFERENCE:
        _one_by_one(filling, profile)
    if serves:
        _load(filling, profile)
    if serves and what == kind.INFERENCE and profile is not None:
        _target_of_answer(filling, profile)


def _cache_why(filling: Filling) -> str:
    """Why the cache has 16 bits; a checkpoint may tell TensorRT-LLM otherwise. Rule: cache-in-8-bits."""
    if filling.framework.serving == TENSORRT_LLM and filling.workload.precision in LOSSY_PRECISIONS:
        return f"16 bits; {CHECKPOINT_CACHE}: state fp8 for those"
    return "16 bits, as engines keep the cache unless they are told otherwise"


def _lengths(filling: Filling) -> None:
    """Fill in the lengths of a request, within the longest context."""
    workload, usual = filling.workload, INPUT_TOKENS + OUTPUT_TOKENS
    whole = min(usual, workload.max_model_len or usual)
    given = (workload.input_tokens or 0) + (workload.output_tokens or 0)
    rest = max(1, (workload.max_model_len or usual) - given) if given and whole < usual else usual
    output = min(max(1, whole * OUTPUT_TOKENS // usual), rest)
    filling.take("input_tokens", max(1, min(whole - output, rest)), "a chat turn with some context")
    filling.take("output_tokens", output, "an answer of a few paragraphs")


def with_image(filling: Filling, profile: ModelProfile) -> ModelProfile:
    """The profile whose prompts hold an image as large as stated; without a size, text alone where text comes first.

    Other models of images read all of a prompt as images if no size is stated.
    """
    size = filling.workload.image_size
    tokens = None if size is None else profile.tokens_of_image(size)
    if tokens is None:
        return profile
    if filling.workload.max_model_len is None:
        filling.take("input_tokens", INPUT_TOKENS + tokens, WITH_ITS_TOKENS)
    share = min(tokens / (filling.workload.input_tokens or INPUT_TOKENS), 1.0)
    filling.note("image_size", size, f"a request brings one image of that size: {tokens:,} tokens of its prompt")
    return replace(profile, image_patches=share * (profile.image_patches or profile.patches_if_stated))


def _images(filling: Filling, profile: ModelProfile | None) -> None:
    """Note whether a prompt holds an image, what its encoder adds, and how to ask for several."""
    if profile is None or profile.transformer is None:
        return
    if profile.transformer.image_tokens:
        seen, layers = profile.transformer.image_tokens, profile.transformer.image_layers
        beside = f"a request brings one image: {seen:,} tokens beside the prompt, which {layers} layers look at"
        filling.note("input_tokens", filling.workload.input_tokens, f"{beside}; {TEXT_ALONE}")
    if profile.patches_if_stated and not profile.seen_parameters:
        filling.note("input_tokens", filling.workload.input_tokens, TEXTS)
    if not profile.seen_parameters:
        return
    more = profile.seen_parameters / active_parameters_of(profile.transformer)
    sized = filling.workload.image_size is not None
    why = MEAN.format(more=more) if sized else f"{ALL_OF_IT.format(more=more)}; a prompt of text takes less"
    host = PATCH_S * MS * profile.image_patches * (filling.workload.input_tokens or 0)
    slow = f"one process of the server prepares such an image in about {host:.0f} ms, which the estimate counts"
    filling.note("input_tokens", filling.workload.input_tokens, f"{why}; {MORE_IMAGES}; {slow}; {SEVERAL}")


def _target_of_answer(filling: Filling, profile: ModelProfile) -> None:
    """A time for which people wait, where users are stated and no target is; nobody waits for a video."""
    if filling.workload.concurrency is None or filling.workload.latency_ms is not None:
        return
    target, why = ANSWER_MS, ANSWER_WHY
    if profile.family == "speech" and profile.audio_seconds is not None:
        target, why = profile.audio_seconds * MS, AUDIO_WHY
    elif profile.family == "diffusion":
        target, why = PICTURE_MS, PICTURE_WHY
    if profile.family != "diffusion" or profile.reference.frames is None:
        filling.take("end_to_end_ms", target, f"{why}; {NO_ANSWER_TARGET}")


def _drafting(filling: Filling) -> None:
    """Fill in what is published of the method of speculative decoding."""
    asked = filling.workload.speculative_decoding
    if asked is None or asked.method is None:
        return
    method = METHODS[asked.method]
    for name in ("draft_tokens", "acceptance_rate"):
        if getattr(asked, name) is None:
            asked = changed(asked, **{name: getattr(method, name)})
            filling.note(f"speculative_decoding.{name}", getattr(method, name), f"published: {method.source}")
    filling.put(speculative_decoding=asked)


def _load(filling: Filling, profile: ModelProfile | None) -> None:
    """Note what a request is where rows are scored, and that no load is stated."""
    workload, rate = filling.workload, filling.workload.requests_per_second
    if rate is None and workload.concurrency is None:
        why = "you stated neither rate nor concurrency; the estimate is for the maximum throughput"
        filling.note("requests_per_second", None, why)
    if not rate or profile is None:
        return
    named = f"{workload.model} {profile.name}".lower()
    if profile.family == "encoder" and any(part in named for part in RANKERS):
        filling.note("model", profile.name, OF_PAIRS)
    elif family_of(profile.family).data == "table":
        filling.note("model", profile.name, _scored_at_once(workload, profile))


def _one_by_one(filling: Filling, profile: ModelProfile | None) -> None:
    """Take one text at a time, as the own scripts of models that speak do, or one recording."""
    if profile is not None and profile.one_text and filling.workload.tuning == "stock":
        filling.take("batch_size", 1, ONE_VOICE)
    program = filling.spelled if filling.spelled in OPENAI_WHISPER else filling.workload.framework
    alone = ONE_RECORDING.get(program or "")
    if profile is not None and profile.name in WHISPER and alone is not None:
        filling.take("batch_size", 1, alone)


def _scored_at_once(workload: Workload, profile: ModelProfile) -> str:
    """What a request of rows is, and how to state one of several."""
    if workload.batch_size is not None:
        return f"the rate counts rows; a request brings {workload.batch_size} of them"
    several = "where one scores several, state batch_size, and how many are scored per second"
    return f"a request is {profile.sample}; {several}"


def with_assumed_target(query: Query, job: Job) -> Query:
    """Return the query with the target of speed that was assumed for it, or without one."""
    known = {name: getattr(job.workload, name) or NO_TARGET for name in targets_of(job.kind)}
    return changed(query, workload=changed(query.workload, **known))
