"""Classifiers over the patches of an image: ViT's plan."""

from __future__ import annotations

from dataclasses import replace

from .profile import ModelProfile, Reference, Transformer
from .transformers import KERNELS_PER_LAYER, forward_flops, parameters_of, stored_elements

CLASSES, COLOURS = 1000, 3  # of ImageNet
KERNELS_AROUND = 10  # patches, positions, class token, last norm, head, loss


def patches_of(side: int, patch: int) -> int:
    """Tokens of a square image: its patches, and one for its class."""
    return (side // patch) ** 2 + 1


def product_elements(transformer: Transformer, tokens: float) -> float:
    """Elements that the products alone write: 10 h a token and layer, and the scores."""
    return transformer.layers * tokens * (10 * transformer.hidden_size + transformer.heads * tokens)


def vision_encoder(
    name: str, transformer: Transformer, side: int, patch: int, source: str, colours: int = COLOURS
) -> ModelProfile:
    """A classifier over patches of ``patch`` pixels of square images; ``transformer`` is its encoder."""
    tokens = patches_of(side, patch)
    layers, hidden = transformer.layers, transformer.hidden_size
    encoder = replace(transformer, vocabulary=0, tied_embeddings=True, context_length=tokens, positions=tokens)
    patches = colours * patch**2 * hidden
    return ModelProfile(
        name=name,
        family="encoder",
        sample=f"one {side} x {side} image",
        parameters=parameters_of(encoder) + patches + hidden * CLASSES,
        forward_flops=forward_flops(encoder, tokens) + 2 * (patches * (tokens - 1) + hidden * CLASSES),
        written_elements=product_elements(encoder, tokens) + hidden * (tokens - 1),
        stored_elements=stored_elements(encoder, tokens, keeps_scores=False),
        kernels=(KERNELS_PER_LAYER - 3) * layers + KERNELS_AROUND,
        source=source,
        architecture="bert",
        reference=Reference(image_size=(side, side)),
        scaling="transformer",
        traffic="transformer",
        memory="encoder",
        transformer=encoder,
        default_dataset="imagenet-1k",
    )
