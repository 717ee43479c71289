"""The served model: bytes and operations a token, and the cache of a request."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..frameworks import older
from ..hardware import Flags, Floats
from ..machines import Machines
from ..models.profile import Transformer
from ..models.stored import BITSANDBYTES, GGUF, INT8, MXFP4
from ..models.transformers import active_parameters_of, decode_weights, kv_elements_per_token
from ..serving_coefficients import PATCH_S, REPACKED_SINCE, SEVERAL_PROCESSES, EarlyFit, EngineFit, Serving
from ..speculation import LAYER, MODEL, TABLES, Drafting, drafting_of
from ..units import BITS_PER_BYTE, GIB
from ..workload import SpeculativeDecoding
from .job import Job, profile_of

WEIGHT_BYTES = {"fp64": 8.0, "fp32": 4.0, "tf32": 4.0, "mixed": 2.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0,
                "int4": 0.53, "fp4": 0.5625}  # fmt: skip
# llama.cpp: Q4_K_M keeps some matrices in 6 bits; rows that blocks of 256 do not divide fall back to larger formats.
GGUF_BYTES = {"int8": 1.0625, "int4": 0.605}
GGUF_BLOCK, GGUF_UNDIVIDED = 256, 0.77
MXFP4_BYTES = 0.5 + 1 / 32  # a scale of one byte for 32 values (OCP microscaling formats 1.0)
HALF_BYTES = 2.0  # of what stays in 16 bits: token tables, and what surrounds the experts
KV_BYTES = {"fp8": 1.0, "int8": 1.0}
# Experts from this width on are read as fast as dense layers: Mixtral 8x7B (14,336) takes 1.92 s for 128 tokens of 8
# requests on 2 H200 (vllm-ci in /v1/evidence), and 1.45 to 2.89 s for 50 of 4 to 16 on 2 A100; Mixtral 8x22B (16,384)
# 5.43 to 6.89 s for 128 of 8 to 32 on 4 A100 (vllm-project/vllm pull requests 3240 and 4002, 2024-03 and 2024-04).
# At the share of narrow ones, 768 to 2,048 in the fit, they would take 1.2 to 1.4 times as long.
WIDE_EXPERTS = 8192
FEW_BITS = ("fp8", "int8", "int4", "fp4")
# Frameworks whose stock scripts write answers by Transformers' ``generate``. Its cache (``DynamicCache``, the default)
# grows by ``torch.cat``, which reads and writes a layer's keys and values anew at each step (huggingface/transformers,
# src/transformers/cache_utils.py, 2026; pull request 30536, 2024-04-29). Where requests of a batch are padded, the mask
# keeps grouped heads from the kernels, and ``repeat_kv`` writes them out for each query's head first (pull request
# 39412, 2025-07-21: ``use_gqa_in_sdpa``; as in its issue 48633, 2026-09-09).
GENERATE = ("huggingface", "pytorch")
LLAMA_CPP, NEURON, PYTORCH = "llama.cpp", "neuron", "pytorch"
VLLM, SGLANG, TENSORRT_LLM = "vllm", "sglang", "tensorrt-llm"

Lengths = Floats | float


@dataclass(frozen=True)
class Served:
    """The served model: bytes and operations per token, the request's lengths (one a row, or one for all)."""

    dims: Transformer
    precision: str
    quantization: str  # empty where the request and the model's name leave it open
    dense_bytes: float  # per parameter
    table_bytes: float  # per parameter of the token tables, which most formats keep in 16 bits
    expert_bytes: float
    kv_bytes: float  # per token of context
    dense: float  # parameters read every step
    experts: float  # parameters of all routed experts
    active: float
    decode_attention: float  # FLOPs per token and token of context
    prefill_attention: float
    input_tokens: Lengths
    output_tokens: Lengths
    engine_name: str
    tuned: bool
    fit: Serving
    cached: float = 0.0  # share of the prompt that a prefix cache holds
    drafting: Drafting | None = None
    beside: float = 0.0  # parameters held in 16 bits that text does not pass, as a tower of images
    seen: float = 0.0  # parameters of that tower that a token of the prompt passes
    imaging_s: float = 0.0  # of the host's process, for the patches of a token of the prompt
    image_s: float = 0.0  # the same, for an image beside the prompt
    written_s: float = 0.0  # of the process, for a token of an answer, where a script of the model reads its logits
    age: Lengths = 0.0  # 1 in releases that were new to such models, 0 in those of today
    recopied: bool = False  # each step copies the cache
    gathered: bool = False  # each step copies the experts of every token side by side
    looped: bool = False  # each step runs the experts that it hits one after another
    in_turn: bool = False  # devices hold layers in turn: each adds memory, none adds speed
    today: bool = True  # a release that repacks weights for Arm and fuses kernels on CUDA, or a later one

    @property
    def prompt(self) -> Lengths:
        """Tokens of a prompt that are computed: all but the cached ones, and the last at least."""
        return np.maximum(self.input_tokens * (1 - self.cached), 1.0) if self.cached else self.input_tokens

    @property
    def slower_steps(self) -> Lengths:
        """Time of a decode step over that of a release of today."""
        return self.fit.early.decode**self.age

    @property
    def slower_prompts(self) -> Lengths:
        """Time of a prompt over that of a release of today."""
        return self.fit.early.prefill**self.age

    @property
    def flooded_prompts(self) -> Lengths:
        """Time of a prompt where more requests always wait, over that beside steady users, in software as it comes.

        Prompts lose it to the steps of answers that they are read beside. Early releases were fitted so already.
        """
        most = 1.0 if self.tuned else self.engine.flooded_prompts
        return (1 + (most - 1) * (1 - 1 / self.output_tokens)) ** (1.0 - self.age)

    def kv_copies(self, n: Floats) -> Floats:
        """How often each part of the cache is kept on ``n`` devices: KV heads may be fewer, and a latent has none."""
        if self.layer_split:
            return np.ones_like(n)
        if self.dims.latent is not None:
            return n
        return np.maximum(1.0, n / self.dims.kv_heads)

    @property
    def memory_share(self) -> float:
        """Share that the engine takes of the memory that the driver reports: llama.cpp reserves none ahead."""
        return 1.0 if self.layer_split else self.fit.device.memory_share

    @property
    def expert_share(self) -> float:
        """Share of the rate of dense layers at which a step reads experts: many narrow ones are read more slowly."""
        moe = self.dims.moe
        return 1.0 if moe is not None and moe.feed_forward > WIDE_EXPERTS else self.fit.device.experts

    @property
    def keeps_chunks(self) -> bool:
        """Whether the cache holds the whole context of layers that see a chunk of it.

        vLLM turns the manager of such caches off by default (vllm-project/vllm, vllm/config/vllm.py and envs.py,
        VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE, 2026): Llama 4 Scout has 3.6 million tokens on eight H200
        (blog.vllm.ai, Llama 4 in vLLM, 2025-04-05).
        """
        return self.dims.chunked and self.engine_name == VLLM

    @property
    def head_groups(self) -> float:
        """Heads of queries that share one of keys and values."""
        return 1.0 if self.dims.latent is not None else self.dims.heads / self.dims.kv_heads

    @property
    def engine(self) -> EngineFit:
        return self.fit.engine(self.engine_name)

    @property
    def weight_only(self) -> bool:
        """Whether products are computed in 16 bits from narrower weights, whatever the device.

        So are MXFP4's: on data-centre Blackwell by default (vllm-project/vllm pull request 23008, 2025-08-15), on other
        Blackwell by Marlin (its issue 30135 and sgl-project/sglang pull request 28231, 2025-12 to 2026-06).
        """
        others = {"int4": True, "int8": self.quantization != INT8, "fp4": self.quantization in (GGUF, MXFP4)}
        return others.get(self.precision, False)

    @property
    def packed(self) -> bool:
        """Whether kernels for Ampere's instructions, as Marlin is, unpack the weights on whatever device.

        On data-centre Blackwell vLLM has no others for AWQ and GPTQ (vllm-project/vllm issue 35439, 2026-02-26: what
        each kernel refuses there), and falls back to them for experts (flashinfer-ai/flashinfer issue 4249,
        2026-07-29). Mixtures that are published in 4 bits have kernels of TensorRT-LLM (vllm-project/vllm pull request
        32437, 2026-01; sgl-project/sglang pull request 18136, 2026-02-03), and so have those in MXFP4.
        """
        published = self.dims.moe is not None and not self.quantization
        others = self.layer_split or published or self.quantization in (MXFP4, BITSANDBYTES)
        return self.weight_only and not others

    def widened(self, machines: Machines) -> Flags:
        """Where products are computed in 16 bits: in formats of weights alone, and on devices without units for them.

        8-bit floats run so on Ampere.
        """
        if self.precision in ("fp8", "fp4") and not self.weight_only:
            return np.isnan(machines.peak(self.precision))
        return np.full(len(machines), self.weight_only)

    @property
    def static_batches(self) -> bool:
        """Whether requests are run in batches that begin and end together, as Transformers' ``generate`` takes them.

        A batch's prompts are read in one pass (huggingface/transformers, generation/utils.py: ``_prefill``, 2026).
        """
        return self.engine_name in (NEURON, PYTORCH)

    @property
    def layer_split(self) -> bool:
        """Whether the engine is llama.cpp, which splits a model by layers."""
        return self.engine_name == LLAMA_CPP

    @property
    def repacked(self) -> bool:
        """Whether processors read prompts from weights that were repacked for their instructions."""
        return self.layer_split and self.weight_only and self.today

    @property
    def undivided(self) -> bool:
        """Whether llama.cpp falls back to other 4-bit formats, since its blocks do not divide the rows."""
        return self.layer_split and self.precision == "int4" and self.dims.hidden_size % GGUF_BLOCK > 0

    @property
    def dequantised(self) -> bool:
        """Whether 4-bit weights are unpacked at each step, as bitsandbytes does; other formats have kernels."""
        return self.precision == "int4" and self.quantization == BITSANDBYTES and self.dims.moe is None

    @cached_property
    def head(self) -> float:
        """Parameters of the output head, which is read at every step."""
        return float(self.dims.vocabulary * (self.dims.embedding_size or self.dims.hidden_size))

    @cached_property
    def dense_weights(self) -> float:
        """Bytes that every step reads, whatever its batch."""
        return (self.dense - self.head) * self.dense_bytes + self.head * self.table_bytes

    @cached_property
    def weights(self) -> float:
        """Bytes of the weights that a large batch reads in a step."""
        return self.dense_weights + self.experts * self.expert_bytes

    @cached_property
    def total_bytes(self) -> float:
        return self.weights + self.embedding_bytes + 2.0 * self.beside + self.draft_bytes

    @cached_property
    def image_context(self) -> float:
        """Tokens of text whose cache is as large as that of an image beside the prompt."""
        return self.dims.image_tokens * self.dims.image_layers / (self.dims.layers * self.dims.attention_share)

    @cached_property
    def image_flops(self) -> float:
        """FLOPs of an image beside the prompt: its tower's, and the keys and values of the layers that look at it."""
        dims = self.dims
        keys = 2.0 * dims.hidden_size * dims.kv_heads * dims.head_size * dims.image_layers
        return 2.0 * dims.image_tokens * (self.beside + keys)

    @property
    def draft_bytes(self) -> float:
        """Weights of what drafts, in 16 bits; a module of a mixture is stored as its layers are.

        A model reads at most the share of the weights that its step takes of the time of a plain one.
        """
        drafting, table = self.drafting, HALF_BYTES * self.head
        if drafting is None:
            return 0.0
        layer, model = self.weights / self.dims.layers + table, drafting.share * HALF_BYTES * self.active
        return {LAYER: layer, TABLES: drafting.tokens * table, MODEL: model}.get(drafting.made_of, 0.0)

    @property
    def kept_bytes(self) -> float:
        """Cache of a token of context, with that of what drafts."""
        drafting = self.drafting
        if drafting is None:
            return self.kv_bytes
        return self.kv_bytes * (1 + {LAYER: 1 / self.dims.layers, MODEL: drafting.share}.get(drafting.made_of, 0.0))

    @property
    def embedding_bytes(self) -> float:
        """An input table that is kept but not read every step."""
        return 0.0 if self.dims.tied_embeddings else self.head * self.table_bytes


def served(job: Job, dims: Transformer) -> Served:
    """The figures of a model at the asked precision and request."""
    dense, experts = decode_weights(dims)
    prefill = decode = 4.0 * dims.heads * dims.head_size * dims.layers * dims.attention_share
    if dims.latent is not None:
        prefill = 2.0 * dims.heads * (dims.latent.query_key_size + dims.latent.value_size) * dims.layers
        # Decoding works on the compressed cache itself: its width for the scores, without the rotary part for the sum.
        decode = 2.0 * dims.heads * (2 * dims.latent.cache_elements - dims.latent.rotary_size) * dims.layers
    workload, profile, patch_s = job.workload, profile_of(job), PATCH_S / (SEVERAL_PROCESSES if job.tuned else 1.0)
    engine, quantization = job.framework.serving or VLLM, workload.quantization or ""
    dense_bytes, expert_bytes = _bytes(job, quantization, engine, dims)
    tables = job.precision in FEW_BITS and quantization != GGUF and engine != LLAMA_CPP
    return Served(
        dims=dims,
        precision=job.precision,
        quantization=quantization,
        dense_bytes=dense_bytes,
        table_bytes=HALF_BYTES if tables else dense_bytes,
        expert_bytes=expert_bytes,
        kv_bytes=kv_elements_per_token(dims) * KV_BYTES.get(workload.kv_cache_precision or "", HALF_BYTES),
        dense=dense,
        experts=experts,
        active=active_parameters_of(dims) * profile.stated_work,
        decode_attention=decode,
        prefill_attention=prefill,
        input_tokens=float(workload.input_tokens or 1),
        output_tokens=float(workload.output_tokens or 1),
        engine_name=engine,
        tuned=job.tuned,
        fit=job.coefficients.serving,
        cached=workload.prefix_cache_hit_rate or 0.0,
        drafting=_drafting(workload.speculative_decoding),
        beside=profile.frozen_parameters,
        seen=profile.seen_parameters,
        imaging_s=profile.image_patches * patch_s,
        image_s=dims.image_tokens * patch_s,
        written_s=profile.written_s,
        recopied=recopied(job),
        gathered=gathers_experts(job, dims),
        looped=recopied(job) and dims.moe is not None and _loops(job) and quantization != MXFP4,
        in_turn=engine == LLAMA_CPP or recopied(job),
        age=age_of(job.coefficients.serving.early, dims, engine, job.software_year),
        today=job.software_year is None or job.software_year >= REPACKED_SINCE,
    )


def recopied(job: Job) -> bool:
    """Whether the cache is copied at each token, as transformers' generate does untuned.

    Such scripts lay layers on devices by ``device_map``, each of which waits for the one before
    (huggingface/accelerate issue 1193, 2023-03).
    """
    return (job.framework.serving or VLLM) == PYTORCH and not job.tuned and job.framework.name in GENERATE


def gathers_experts(job: Job, dims: Transformer) -> bool:
    """Whether each step copies the experts of every token side by side, as ``generate`` of Transformers 5 does untuned.

    It decodes with ``batched_mm``, which indexes the weights by the experts of each token (huggingface/transformers
    pull request 43126, 2026-01; src/transformers/integrations/moe.py, 2026). Kernels of FP8 and MXFP4 read them where
    they lie.
    """
    return recopied(job) and dims.moe is not None and not _loops(job) and job.precision not in FEW_BITS


def _loops(job: Job) -> bool:
    """Whether Transformers is named in a release that runs experts one after another (pull request 42697, 2025-12)."""
    return job.framework.name == GENERATE[0] and older(job.workload.framework_version or "", "5.0")


def _drafting(asked: SpeculativeDecoding | None) -> Drafting | None:
    if asked is None or asked.method is None or asked.draft_tokens is None or asked.acceptance_rate is None:
        return None
    return drafting_of(asked.method, asked.draft_tokens, asked.acceptance_rate)


AGING_ENGINES = (VLLM, SGLANG)  # whose early releases were measured with such models


def age_of(early: EarlyFit, dims: Transformer, engine: str, year: float | None) -> float:
    """1 in releases that were new to mixtures of experts with latent attention, falling to 0 until they had kernels."""
    if year is None or dims.moe is None or dims.latent is None or engine not in AGING_ENGINES:
        return 0.0
    return min(max((early.mature_year - year) / (early.mature_year - early.year), 0.0), 1.0)


def _bytes(job: Job, quantization: str, engine: str, dims: Transformer) -> tuple[float, float]:
    """Bytes of a weight, dense and of the experts.

    Of a mixture that is published in 4 bits only the experts are; AWQ, GPTQ and bitsandbytes pack all layers.
    """
    precision = job.precision
    if job.weight_bits:
        return job.weight_bits / BITS_PER_BYTE, job.weight_bits / BITS_PER_BYTE
    if (engine == LLAMA_CPP or quantization == GGUF) and precision in GGUF_BYTES:
        undivided = precision == "int4" and dims.hidden_size % GGUF_BLOCK
        size = GGUF_UNDIVIDED if undivided else GGUF_BYTES[precision]
        return size, size
    if quantization == MXFP4 or (precision == "fp4" and (engine == LLAMA_CPP or quantization == GGUF)):
        return (MXFP4_BYTES if dims.moe is None else HALF_BYTES), MXFP4_BYTES
    size = WEIGHT_BYTES[precision]
    experts_alone = precision == "int4" and dims.moe is not None and not quantization
    return (HALF_BYTES if experts_alone else size), size


def kv_tokens(model: Served) -> Lengths:
    """Tokens that a request keeps when its answer ends: a server that promises it a place has room for them."""
    return kept(model, model.input_tokens + model.output_tokens)


def kept(model: Served, context: Lengths) -> Lengths:
    """Mean tokens of a context that the cache holds for a layer."""
    return model.image_context + (context if model.keeps_chunks else windowed(model.dims, context))


def windowed(dims: Transformer, context: Lengths) -> Lengths:
    """Mean tokens that a layer keeps: a sliding window caps its share of the layers."""
    if not dims.sliding_window:
        return context
    window = np.minimum(context, float(dims.sliding_window))
    return (1 - dims.sliding_share) * context + dims.sliding_share * window


def unwindowed(dims: Transformer, kept: Floats) -> Floats:
    """Length of the context of which a layer keeps that many tokens on average."""
    if not dims.sliding_window:
        return kept
    window, share = float(dims.sliding_window), dims.sliding_share
    beyond = (kept - share * window) / (1 - share) if share < 1 else np.full_like(kept, np.inf)
    return np.where(kept <= window, kept, beyond)


def kv_gib_per_sequence(model: Served) -> Lengths:
    """KV cache of one request at its full length."""
    return model.kept_bytes * kv_tokens(model) / GIB
