"""Profiles of transformers from their dimensions: one call a model in the family tables."""

from __future__ import annotations

from plimsoll_service.engine.models.dimensions import (
    active_parameters_of,
    decode_weights,
    dropout_masks,
    forward_flops,
    stored_elements,
    written_elements,
)
from plimsoll_service.engine.models.profile import (
    Generation,
    MixtureOfExperts,
    ModelProfile,
    Reference,
    Transformer,
)

CUSTOMARY_TRAINING_LENGTH = 2048  # tokens a sample of a language model, where its context is longer
KERNELS_PER_LAYER = 23  # launched per layer and forward pass, unfused (throughput study, section 8: BERT-large 558)
DECODER_KERNELS_PER_LAYER = 30  # with cross-attention beside them
KERNELS_AROUND = 6  # embedding, final norm, head, loss
FP32_LOGIT_COPIES = 3  # copy, log-softmax and gradient of the logits (memory study, section 3: 14 bytes with bf16's 2)

Sizes = tuple[int, int, int, int, int, int]  # layers, hidden, heads, KV heads, head size, feed-forward


def dimensions(
    sizes: Sizes,
    vocabulary: int,
    context: int,
    *,
    gated: bool = True,
    tied: bool = False,
    causal: bool = True,
    **other: object,
) -> Transformer:
    """Dimensions from a row of sizes; ``other`` are further fields of ``Transformer``."""
    layers, hidden, heads, kv_heads, head_size, feed_forward = sizes
    return Transformer(
        layers=layers,
        hidden_size=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_size=head_size,
        feed_forward=feed_forward,
        vocabulary=vocabulary,
        gated=gated,
        tied_embeddings=tied,
        causal=causal,
        context_length=context,
        **other,  # type: ignore[arg-type]
    )


def language_model(
    name: str,
    parameters: float,
    transformer: Transformer,
    source: str,
    aliases: tuple[str, ...] = (),
    kin: str = "llama",
) -> ModelProfile:
    """A decoder that predicts the next token; attention's scores are not written out (fused kernels)."""
    length = min(transformer.context_length, CUSTOMARY_TRAINING_LENGTH)
    logits = float(length) * transformer.vocabulary
    mixed = transformer.moe is not None
    return ModelProfile(
        name=name,
        family="moe" if mixed else "decoder",
        sample="one sequence of sequence_length tokens",
        parameters=float(parameters),
        forward_flops=forward_flops(transformer, length),
        written_elements=written_elements(transformer, length, keeps_scores=False),
        stored_elements=stored_elements(transformer, length, keeps_scores=False) + logits,
        kernels=KERNELS_PER_LAYER * transformer.layers + KERNELS_AROUND,
        source=source,
        aliases=aliases,
        kin="moe" if mixed else kin,
        reference=Reference(sequence_length=length),
        scaling="transformer",
        traffic="transformer",
        memory="encoder",
        active_parameters=_active(parameters, transformer) if mixed else None,
        fp32_elements=FP32_LOGIT_COPIES * logits,
        transformer=transformer,
        default_dataset="openwebtext",
    )


def encoder_model(
    name: str,
    parameters: float,
    transformer: Transformer,
    source: str,
    length: int,
    aliases: tuple[str, ...] = (),
    dataset: str = "squad",
) -> ModelProfile:
    """A bidirectional text encoder with a small task head; scores and dropout masks are written out."""
    return ModelProfile(
        name=name,
        family="encoder",
        sample="one sequence of sequence_length tokens",
        parameters=float(parameters),
        forward_flops=forward_flops(transformer, length, with_head=False),
        written_elements=written_elements(transformer, length, keeps_scores=True),
        stored_elements=stored_elements(transformer, length, keeps_scores=True),
        kernels=KERNELS_PER_LAYER * transformer.layers + KERNELS_AROUND,
        source=source,
        aliases=aliases,
        kin="bert",
        reference=Reference(sequence_length=length),
        scaling="transformer",
        traffic="transformer",
        memory="encoder",
        mask_elements=dropout_masks(transformer, length),
        transformer=transformer,
        default_dataset=dataset,
    )


def encoder_decoder_model(
    name: str,
    parameters: float,
    transformer: Transformer,
    source: str,
    length: int,
    aliases: tuple[str, ...] = (),
    dataset: str | None = None,
) -> ModelProfile:
    """A text-to-text model; a sample is a pair of ``length`` source and ``length`` target tokens."""
    logits = float(length) * transformer.vocabulary
    return ModelProfile(
        name=name,
        family="encoder_decoder",
        sample="one pair of sequence_length source and sequence_length target tokens",
        parameters=float(parameters),
        forward_flops=forward_flops(transformer, length),
        written_elements=written_elements(transformer, length, keeps_scores=True),
        stored_elements=stored_elements(transformer, length, keeps_scores=True) + logits,
        kernels=KERNELS_PER_LAYER * transformer.layers + KERNELS_AROUND,
        source=source,
        aliases=aliases,
        kin="seq2seq",
        reference=Reference(sequence_length=length),
        scaling="transformer",
        traffic="transformer",
        memory="encoder",
        fp32_elements=FP32_LOGIT_COPIES * logits,
        mask_elements=dropout_masks(transformer, length),
        generation=generation(transformer, length),
        transformer=transformer,
        default_dataset=dataset,
    )


def generation(transformer: Transformer, tokens: int) -> Generation:
    """An encoder-decoder that writes so many tokens: its encoder runs once, its decoder and the head at each."""
    decoder = transformer.cross_attention_layers
    encoder = transformer.layers - decoder
    return Generation(
        kernels=float(KERNELS_PER_LAYER * encoder + tokens * DECODER_KERNELS_PER_LAYER * decoder),
        tokens=float(tokens),
        layers=decoder,
        parameters=sum(decode_weights(transformer)),
    )


def experts(count: int, active: int, size: int, layers: int, shared: int = 0) -> MixtureOfExperts:
    """Routed experts of ``layers`` layers: ``count`` of inner ``size``, ``active`` a token, ``shared`` beside them."""
    return MixtureOfExperts(
        experts=count, active=active, feed_forward=size, moe_layers=layers, shared_feed_forward=shared
    )


def _active(parameters: float, transformer: Transformer) -> float:
    return min(float(parameters), active_parameters_of(transformer))
