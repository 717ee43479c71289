"""Figures that follow from a transformer's dimensions, and the profiles of text models.

Matrix sizes only: norms and biases are left out (under 1% of any listed model).
"""

from __future__ import annotations

from dataclasses import replace

from .profile import Generation, ModelProfile, Reference, Transformer
from .stored import Stored

FLOP_PER_PARAMETER = 2  # one multiply-add for each weight that a token passes


def parameters_of(transformer: Transformer) -> float:
    """Parameters of the whole model, embeddings included."""
    layers = _attention_total(transformer) + _dense_feed_forward(transformer) + _experts(transformer, "all")
    if transformer.shared_layers:
        layers /= transformer.layers
    return layers + _embeddings(transformer)


def active_parameters_of(transformer: Transformer) -> float:
    """Parameters that one token uses; of a mixture of experts only the routed few."""
    return parameters_of(transformer) - _experts(transformer, "all") + _experts(transformer, "active")


def kv_elements_per_token(transformer: Transformer) -> float:
    """Elements that one token adds to the KV cache over all layers (MLA: the latent)."""
    layers = (transformer.cross_attention_layers or transformer.layers) * transformer.attention_share
    if transformer.latent:
        return layers * transformer.latent.cache_elements
    return layers * 2 * _key_width(transformer)


def splits_evenly(transformer: Transformer, devices: int) -> bool:
    """Whether tensors can be split over so many devices: heads and inner sizes evenly, KV heads evenly or repeated.

    Serving engines refuse other numbers when they start (vllm-project/vllm: vllm/model_executor/models/llama.py).
    """
    kv_heads = transformer.heads if transformer.latent is not None else transformer.kv_heads
    even_kv = kv_heads % devices == 0 or devices % kv_heads == 0
    moe = transformer.moe
    inner = transformer.feed_forward if moe is None else moe.feed_forward
    return transformer.heads % devices == 0 and even_kv and inner % devices == 0


# Checkpoints of mixtures in 8-bit floats have a scale for each block of so many rows and columns, and these engines
# give a device whole blocks of each expert (vllm-project/vllm issues 17569 and 25292, 2025).
SCALE_BLOCK, BLOCK_ENGINES = 128, ("vllm", "sglang")


def splits_experts(transformer: Transformer, devices: int) -> bool:
    """Whether so many devices may hold whole experts each: expert parallelism, which leaves their blocks whole."""
    return transformer.moe is not None and transformer.moe.experts % devices == 0


def splits_blocks(transformer: Transformer, devices: int) -> bool:
    """Whether a split over so many devices would cut blocks of the experts' 8-bit weights, which engines refuse."""
    moe = transformer.moe
    return moe is not None and moe.feed_forward % (SCALE_BLOCK * devices) > 0


def decode_weights(transformer: Transformer) -> tuple[float, float]:
    """Parameters read at every generation step, and those of all routed experts together.

    The input table is looked up, not read; the output head is read whole (tied or not). Of an
    encoder-decoder only the decoder works at each step.
    """
    routed = _experts(transformer, "routed")
    fixed = _attention_total(transformer) + _dense_feed_forward(transformer) + _experts(transformer, "all") - routed
    if transformer.cross_attention_layers:
        layer = 2 * _attention_layer(transformer) + _feed_forward_layer(transformer)
        fixed = transformer.cross_attention_layers * layer
    return fixed + _head(transformer), routed


def forward_flops(transformer: Transformer, length: float, with_head: bool = True) -> float:
    """FLOPs of one forward pass over a sequence (encoder-decoders: over that many tokens on each side).

    2 per weight and token plus the two score products (Narayanan et al. 2021, arXiv 2104.04473); a causal
    mask halves them, a sliding window bounds what each token sees.
    """
    weights = _attention_total(transformer) + _dense_feed_forward(transformer) + _experts(transformer, "active")
    head = _head(transformer) if with_head else 0.0
    return FLOP_PER_PARAMETER * length * (weights + head) + score_flops(transformer, length)


# Disentangled attention (arXiv 2006.03654, section 3.1) scores each word with each distance, and each distance with
# each word, and picks of both scores those of every pair of words. Of every pair: two picks, which count twice, for an
# index and for gradients that are added one by one, two scalings and three sums (huggingface/transformers,
# models/deberta_v2/modeling_deberta_v2.py, read 2026-11-28). No kernel that PyTorch comes with holds all of it. The
# gradient of a pick keeps what it picked from (pytorch/pytorch, tools/autograd/derivatives.yaml: gather); the rows of
# the table are repeated for each sample. Against BERT without fused attention, inference with DeBERTa-v3 base then has
# 0.36 to 0.50 of the speed, and with its large 0.45 to 0.60 (A100, A10G, V100; 512 to 128 tokens): half of it
# (microsoft/DeBERTa issue 100, 2022-04-13), or 0.66 with all that is around it (microsoft/deberta-v3-base, discussion
# 9). MNLI takes three passes of 392,702 pairs of 256 tokens on eight V100, with evaluations 2.5 h with its large, 2.5 h
# with its v2-xlarge and 4 h with its v2-xxlarge (its README); here 1.7, 2.7 and 6.3 h without.
PAIRS_OF_DISTANCES = 2 * 2 + 2 + 3
# Kernels a layer beside others: four for the table's projections and two copies of them, two repetitions, two products,
# two picks and two scalings, three sums, six for the index, four for the mask.
DISENTANGLED_KERNELS = 27
DISTANCES_IN_BUCKETS = 512  # of later releases, whatever the length (config.json: 256 position_buckets to each side)


def _distances(transformer: Transformer, length: float) -> float:
    """Rows of the table that a sequence looks at: of DeBERTa's first release, those within its length."""
    return min(float(transformer.relative_positions), max(2 * length, DISTANCES_IN_BUCKETS))


def _scored_distances(transformer: Transformer, length: float) -> float:
    """Elements a layer of the two products with distances and of the repeated rows."""
    return 2 * _distances(transformer, length) * (transformer.heads * length + _query_width(transformer))


def score_flops(transformer: Transformer, length: float) -> float:
    """FLOPs of the score products (query times key, weights times value; with distances) over one sequence."""
    decoder, full = transformer.cross_attention_layers, 2 * _score_width(transformer) * transformer.attention_share
    if decoder:
        return full * length * length * (transformer.layers - decoder + decoder / 2 + decoder)
    if not transformer.causal:
        return full * length * (length + _distances(transformer, length)) * transformer.layers
    share, seen = transformer.sliding_share, min(length, transformer.sliding_window or length)
    windowed = length * seen - seen * seen / 2
    return full * transformer.layers * ((1 - share) * length * length / 2 + share * windowed)


def written_flops(transformer: Transformer, tokens: float, read: float) -> float:
    """FLOPs of an encoder-decoder's decoder and head, which write so many tokens beside those that were read."""
    scores = tokens * tokens / 2 + tokens * read
    full = 2 * _score_width(transformer) * transformer.attention_share
    products = FLOP_PER_PARAMETER * tokens * sum(decode_weights(transformer))
    return products + full * transformer.cross_attention_layers * scores


def written_elements(transformer: Transformer, length: float, keeps_scores: bool) -> float:
    """Elements that matrix products and the operations between them write in a forward pass.

    17 h a token and layer plus 2.5 heads x tokens where the scores are written out (Korthikanti et al.
    2022, arXiv 2205.05198), generalised to grouped queries and gated feed-forward blocks.
    """
    token = 5 * transformer.hidden_size + _attention_width(transformer) + feed_forward_elements(transformer)
    scores = 2.5 * transformer.heads * length if keeps_scores else 0.0
    if transformer.relative_positions:
        scores += PAIRS_OF_DISTANCES * transformer.heads * length
    return transformer.layers * (length * (token + scores) + _scored_distances(transformer, length))


def stored_elements(transformer: Transformer, length: float, keeps_scores: bool) -> float:
    """Elements kept for the backward pass by the layers (Korthikanti et al. 2022), without the logits."""
    token = 4 * transformer.hidden_size + _attention_width(transformer) + feed_forward_elements(transformer)
    scores = 2.0 * transformer.heads * length if keeps_scores else 0.0
    return transformer.layers * (length * (token + scores) + _scored_distances(transformer, length))


def dropout_masks(transformer: Transformer, length: float) -> float:
    """Mask entries of a layer stack with dropout after attention, feed-forward and scores."""
    return transformer.layers * length * (2 * transformer.hidden_size + transformer.heads * length)


def feed_forward_elements(transformer: Transformer) -> float:
    """Elements a token and layer of the feed-forward block: input and output of the activation, the product."""
    per_unit = 4 if transformer.gated else 2
    moe = transformer.moe
    if moe is None:
        return per_unit * transformer.feed_forward
    expert = per_unit * (moe.active * moe.feed_forward + moe.shared_feed_forward) + moe.active * transformer.hidden_size
    dense = per_unit * transformer.feed_forward
    return (moe.moe_layers * expert + (transformer.layers - moe.moe_layers) * dense) / transformer.layers


def _query_width(transformer: Transformer) -> int:
    return transformer.heads * transformer.head_size


def _key_width(transformer: Transformer) -> int:
    return transformer.kv_heads * transformer.head_size


def _score_width(transformer: Transformer) -> float:
    """Sum over heads of the sizes that the two score products contract over."""
    if transformer.latent:
        return transformer.heads * (transformer.latent.query_key_size + transformer.latent.value_size)
    return 2 * _query_width(transformer)


def _attention_width(transformer: Transformer) -> float:
    """Elements a token of queries, keys, values and of the heads' output."""
    if transformer.latent:
        latent = transformer.latent
        return transformer.heads * 2 * (latent.query_key_size + latent.value_size) + latent.cache_elements
    return 2 * _query_width(transformer) + 2 * _key_width(transformer)


def _attention_layer(transformer: Transformer) -> float:
    hidden = transformer.hidden_size
    if transformer.latent is None:
        queries = _query_width(transformer) * (3 if transformer.output_gate else 2)
        return hidden * (queries + 2 * _key_width(transformer))
    latent, heads, rank = transformer.latent, transformer.heads, transformer.latent.query_rank
    query = rank * (hidden + heads * latent.query_key_size) if rank else hidden * heads * latent.query_key_size
    expanded = heads * (latent.query_key_size - latent.rotary_size + latent.value_size)
    keys = hidden * latent.cache_elements + (latent.cache_elements - latent.rotary_size) * expanded
    return query + keys + heads * latent.value_size * hidden


def _attention_total(transformer: Transformer) -> float:
    full = transformer.layers * transformer.attention_share
    others = (transformer.layers - full) * transformer.linear_layer_parameters
    return (full + transformer.cross_attention_layers) * _attention_layer(transformer) + others


def _feed_forward_layer(transformer: Transformer) -> float:
    return (3 if transformer.gated else 2) * transformer.hidden_size * transformer.feed_forward


def _dense_feed_forward(transformer: Transformer) -> float:
    moe_layers = transformer.moe.moe_layers if transformer.moe else 0
    return (transformer.layers - moe_layers) * _feed_forward_layer(transformer)


def _experts(transformer: Transformer, which: str) -> float:
    """Parameters of the expert layers: ``all``, those ``active`` for a token, or the ``routed`` experts alone."""
    moe = transformer.moe
    if moe is None:
        return 0.0
    one = (3 if transformer.gated else 2) * transformer.hidden_size
    routed = moe.moe_layers * one * moe.feed_forward * (moe.active if which == "active" else moe.experts)
    if which == "routed":
        return routed
    return routed + moe.moe_layers * (one * moe.shared_feed_forward + transformer.hidden_size * moe.experts)


def _head(transformer: Transformer) -> float:
    return transformer.vocabulary * (transformer.embedding_size or transformer.hidden_size)


def _embeddings(transformer: Transformer) -> float:
    width = transformer.embedding_size or transformer.hidden_size
    tables = 1 if transformer.tied_embeddings else 2
    adapter = width * transformer.hidden_size if width != transformer.hidden_size else 0
    pooler = transformer.hidden_size**2 if transformer.pooler else 0
    positions = transformer.positions + transformer.relative_positions
    return tables * (transformer.vocabulary * width + adapter) + positions * width + pooler


# Profiles of text models from their dimensions.

CUSTOMARY_TRAINING_LENGTH = 2048  # tokens a sample of a language model, where its context is longer
KERNELS_PER_LAYER = 23  # launched per layer and forward pass, unfused (throughput study, section 8: BERT-large 558)
DECODER_KERNELS_PER_LAYER = 30  # with cross-attention beside them
KERNELS_AROUND = 6  # embedding, final norm, head, loss
FP32_LOGIT_COPIES = 3  # copy, log-softmax and gradient of the logits (memory study, section 3: 14 bytes with bf16's 2)


def language_model(
    name: str,
    parameters: float,
    transformer: Transformer,
    source: str,
    architecture: str = "llama",
    published: Stored | None = None,
) -> ModelProfile:
    """A decoder that predicts the next token; attention's scores are not written out (fused kernels)."""
    length = min(transformer.context_length, CUSTOMARY_TRAINING_LENGTH)
    mixed = transformer.moe is not None
    profile = _text_model(
        name, "moe" if mixed else "decoder", parameters, transformer, source, length, "openwebtext",
        architecture="moe" if mixed else architecture, scores=False, head=True,
    )  # fmt: skip
    active = min(float(parameters), active_parameters_of(transformer)) if mixed else None
    return replace(profile, active_parameters=active, published=published)


def encoder_model(
    name: str, parameters: float, transformer: Transformer, source: str, length: int, dataset: str = "squad"
) -> ModelProfile:
    """A bidirectional text encoder with a small task head; scores and dropout masks are written out."""
    return _text_model(
        name, "encoder", parameters, transformer, source, length, dataset,
        architecture="bert", scores=True, head=False,
    )  # fmt: skip


def encoder_decoder_model(
    name: str, parameters: float, transformer: Transformer, source: str, length: int, dataset: str | None = None
) -> ModelProfile:
    """A text-to-text model; a sample is a pair of ``length`` source and ``length`` target tokens."""
    profile = _text_model(
        name, "encoder_decoder", parameters, transformer, source, length, dataset,
        architecture="seq2seq", scores=True, head=True,
    )  # fmt: skip
    pair = "one pair of sequence_length source and sequence_length target tokens"
    return replace(profile, sample=pair, generation=generation(transformer, length))


def _text_model(
    name: str,
    family: str,
    parameters: float,
    transformer: Transformer,
    source: str,
    length: int,
    dataset: str | None,
    *,
    architecture: str,
    scores: bool,
    head: bool,
) -> ModelProfile:
    """The profile by the dimensions: ``scores`` of attention are written out and dropped out; ``head``: over words."""
    logits = float(length) * transformer.vocabulary if head else 0.0
    disentangled = DISENTANGLED_KERNELS if transformer.relative_positions else 0
    return ModelProfile(
        name=name,
        family=family,
        sample="one sequence of sequence_length tokens",
        parameters=float(parameters),
        forward_flops=forward_flops(transformer, length, head),
        written_elements=written_elements(transformer, length, scores),
        stored_elements=stored_elements(transformer, length, scores) + logits,
        kernels=(KERNELS_PER_LAYER + disentangled) * transformer.layers + KERNELS_AROUND,
        source=source,
        architecture=architecture,
        reference=Reference(sequence_length=length),
        scaling="transformer",
        traffic="transformer",
        memory="encoder",
        fp32_elements=FP32_LOGIT_COPIES * logits,
        mask_elements=dropout_masks(transformer, length) if scores else 0.0,
        transformer=transformer,
        default_dataset=dataset,
    )


def generation(transformer: Transformer, tokens: int, read: int | None = None) -> Generation:
    """An encoder-decoder that writes so many tokens: its encoder runs once, its decoder and the head at each.

    ``read``: places of the encoder's output, where they are not as many as the tokens.
    """
    decoder = transformer.cross_attention_layers
    encoder = transformer.layers - decoder
    return Generation(
        kernels=float(KERNELS_PER_LAYER * encoder + tokens * DECODER_KERNELS_PER_LAYER * decoder),
        tokens=float(tokens),
        layers=decoder,
        parameters=sum(decode_weights(transformer)),
        encoder_layers=encoder,
        cache_elements=2.0 * decoder * transformer.kv_heads * transformer.head_size * (tokens + (read or tokens)),
    )


# Powers of the tokens of a step (``MixtureOfExperts.spread``). Qwen3: fitted to 151 times per token of Qwen3-235B-A22B
# (TensorRT-LLM on H100, SGLang on H200), whose mean error falls from 18 to 8%; runs of DeepSeek and Kimi, whose
# training evens the load of experts out (arXiv 2412.19437), have 1. gpt-oss: median intervals between tokens of
# gpt-oss-120b in vLLM 0.10.2 on H100 (7.99, 12.37 and 14.92 ms at 4, 15 and 29 requests) and in 0.11.0 on A100 (11.1,
# 28.0 and 31.5 ms at 4, 29 and 55): 0.62 to 0.70 (gpustack/gpustack@72aee9dd docs/performance-lab, 2025-10). So the
# rows of their models have 0.70 and 0.66.
