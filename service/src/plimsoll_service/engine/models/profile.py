"""A model's profile: operations, traffic, memory and kernels per sample.

One multiply-add is 2 FLOP. A *sample* is the model's customary training example, at ``reference``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod
from typing import Literal

from .stored import Stored

# How the work of a sample grows with its input.
#   area: with the pixels of the image (or voxels); sequence: linear in tokens or frames;
#   transformer: linear plus quadratic in tokens, from the dimensions;
#   steps: linear in denoising steps and in the area; none.
Scaling = Literal["area", "sequence", "transformer", "steps", "none"]

# Architectures: networks that hardware and software treat alike (throughput study, section 2).
ARCHITECTURES = (
    "resnet", "plain", "inception", "densenet", "efficient", "efficientdet", "keras", "bert", "llama", "moe", "txl",
    "seq2seq", "ssd", "rcnn", "detr", "yolo", "unet", "unet3d", "diffusion", "lstm", "tacotron", "waveglow",
    "fastpitch", "quartznet", "ncf", "dlrm", "video", "tree", "linear",
)  # fmt: skip

# Elements a pixel that live in a residual block of the image encoder's first level: its input, what is normalised and
# what is convolved, of 128 channels each (block_out_channels of AutoencoderKL; arXiv 2112.10752). Training scripts
# encode each batch anew; from SDXL on in fp32, earlier in 16 bits (huggingface/diffusers issue 9237, 2024-08-31).
ENCODER_MAPS = 3 * 128.0
WIDE, HALF = 4.0, 2.0  # bytes of an element
# Likewise of the image decoder's last level, of 256 channels each. All decoders' elements are an own count of
# 2026-11-28: the most that live at once while the decoder of diffusers 0.42 runs over tensors without data.
DECODER_MAPS = 3 * 256.0


@dataclass(frozen=True)
class Reference:
    """The input that the per-sample figures are for; ``None`` where a dimension does not apply."""

    image_size: tuple[int, ...] | None = None
    sequence_length: int | None = None
    steps: int | None = None
    frames: int | None = None  # of a clip of video, each of ``image_size``


@dataclass(frozen=True)
class MixtureOfExperts:
    """Routed experts: how many there are and are active a token, their inner size, the shared part."""

    experts: int
    active: int
    feed_forward: int
    moe_layers: int
    shared_feed_forward: int = 0
    # Tokens of a step choose like ``tokens ** spread`` tokens that choose evenly: a router prefers some experts.
    spread: float = 1.0


@dataclass(frozen=True)
class LatentAttention:
    """Multi-head latent attention (DeepSeek-V2): sizes of the compressed cache and of the heads."""

    cache_elements: int  # per token and layer: latent plus rotary part
    query_key_size: int  # per head: without rotary plus rotary part
    value_size: int  # per head
    rotary_size: int = 64  # part of the cache and of each head that carries the position
    query_rank: int | None = None  # the query's own compression, where there is one


@dataclass(frozen=True)
class Transformer:
    """Dimensions of a transformer; of encoder-decoders, those of both stacks together."""

    layers: int
    hidden_size: int
    heads: int
    kv_heads: int
    head_size: int
    feed_forward: int
    vocabulary: int
    gated: bool  # SwiGLU and the like: three matrices in the feed-forward block
    tied_embeddings: bool
    causal: bool
    context_length: int
    moe: MixtureOfExperts | None = None
    latent: LatentAttention | None = None
    sliding_window: int | None = None
    sliding_share: float = 0.0  # share of the layers that see only the window
    chunked: bool = False  # those windows begin anew after each chunk, instead of sliding (Llama 4)
    attention_share: float = 1.0  # share of the layers that keep a KV cache at all
    cross_attention_layers: int = 0  # of encoder-decoders: the decoder's layers
    positions: int = 0  # rows of a learned position table
    embedding_size: int | None = None  # where the token table is narrower than the layers
    pooler: bool = False  # a square layer on the first token's output (BERT)
    shared_layers: bool = False  # all layers use the same weights (ALBERT)
    output_gate: bool = False  # attention's output is gated by a projection as wide as the query
    linear_layer_parameters: float = 0.0  # mixing part of a layer without KV cache (linear attention)
    image_tokens: int = 0  # of an image beside the prompt, at which layers of cross-attention look (Mllama)
    image_layers: int = 0  # those layers
    sinks: bool = False  # attention's softmax has a learned logit of its own for each head
    relative_positions: int = 0  # rows of a table of distances, at which each layer's attention looks too (DeBERTa)


@dataclass(frozen=True)
class Generation:
    """Work of an encoder-decoder that generates its output token by token, for one sample."""

    kernels: float  # the encoder's once, the decoder's at each token
    tokens: float
    layers: int  # of the decoder
    parameters: float  # that every token reads again
    encoder_layers: int = 0  # before the decoder, where there is an encoder
    cache_elements: float = 0.0  # keys and values of the decoder's layers: of the encoder's output, and of its own


@dataclass(frozen=True)
class TreeEnsemble:
    """A tabular learner: how many bytes of each value the framework holds, and its default trees."""

    learner: str  # whose figures hold, also where a described model goes by a name of its own
    bytes_per_value: float  # host memory per feature value of the training matrix, framework's copy included
    default_trees: int
    default_depth: int


@dataclass(frozen=True)
class ModelProfile:
    """A model's needs per sample at ``reference``; figures with their ``source``."""

    name: str
    family: str  # a name in ``families.FAMILIES``
    sample: str  # what one sample is, in words
    parameters: float
    forward_flops: float  # per sample
    written_elements: float  # written by matrix and convolution layers, per sample, forward
    stored_elements: float  # kept for the backward pass, per sample
    kernels: float  # launched per forward pass (sequential steps counted)
    source: str
    aliases: tuple[str, ...] = ()
    architecture: str = ""  # one of ARCHITECTURES, or empty for a model not in the table
    reference: Reference = Reference()
    scaling: Scaling = "none"
    traffic: str = "cnn"  # a row of evidence/traffic.csv: bytes moved per written element
    transformed_share: float = 0.0  # of its operations, those of convolutions that libraries transform
    memory: str = "convolution"  # whose ``TrainingMemory.kappa_…`` says what is kept per stored element
    active_parameters: float | None = None  # mixture of experts: used per token
    fp32_elements: float = 0.0  # stored in fp32 whatever the precision, per sample
    mask_elements: float = 0.0  # dropout masks, one byte each, per sample
    paired: float = 0.0  # share of the operations that grows with the square of the image's places
    paired_elements: float = 0.0  # share of the written and stored elements that does
    trained_work: float = 1.0  # of a sample's operations, where training runs other parts of the network
    trained_elements: float = 1.0  # of a sample's stored elements, likewise
    prompt: float = 0.0  # share of its places that is the prompt's, whatever the image
    live_elements: float = 0.0  # at once in a forward pass, per sample, where its script says more than its maps do
    gathered_bytes: float = 0.0  # read from embedding tables, per sample
    pooled_bytes: float | None = None  # that its tables give on, where they sum several rows each; None: all they read
    embedding_parameters: float = 0.0  # in gathered tables; moved sparsely, not with every step
    tables: int = 0  # that scripts without fused embeddings hold as layers of their own
    sequential: bool = False  # steps depend on each other: launch latency rules
    transformer: Transformer | None = None
    tree: TreeEnsemble | None = None
    default_dataset: str | None = None
    script_batch: int | None = None  # of the script that the network comes from: the most that is taken unasked
    adversarial: bool = False  # trained against a network that judges
    wide: bool = False  # most of its products are as large as a language model's
    width: float | None = None  # of most matrices, where they lie in blocks that no ``transformer`` describes
    encoded_bytes: float = 0.0  # a pixel, live while a frozen encoder turns training images into latents
    encoded_flops: float = 0.0  # a pixel, of that encoder
    decoded_flops: float = 0.0  # a pixel, of the decoder that turns latents into an image, once for all steps
    decoded_elements: float = 0.0  # a pixel, live at once in the decoder of an image or a whole clip
    decoder_bytes: float = HALF  # of such an element, at least: some decode in fp32
    frozen_parameters: float = 0.0  # held beside the trained ones: text encoders, image decoder
    networks_in_turn: int = 1  # as large as each other, that do one part of the denoising steps each
    image_patches: float = 0.0  # of a token of the prompt, where those of images come with it
    tower_parameters: float | None = None  # that such a patch passes; None: all that are held beside
    image_token_side: int = 0  # pixels of the side of a token of an image, where tokens follow its size
    most_image_tokens: int = 0  # of an image: at most, or always where they do not follow its size; 0: unknown
    patches_if_stated: float = 0.0  # as ``image_patches``, where images come only if their size is stated
    written_s: float = 0.0  # of the server's process for a written token, whose logits a script of the model reads
    file_bytes: float | None = None  # of each weight in the published file, where it is not of a usual width
    guidance_passes: int = 1  # passes a denoising step when generating; training makes one
    generation: Generation | None = None  # of an output that comes token by token
    beams: int = 1  # of the search in the settings that the weights are published with
    audio_seconds: float | None = None  # of a sample, read or written
    one_text: bool = False  # its own scripts take one text at a time
    own_precision: str | None = None  # of its own scripts, where that is not the customary mixed one
    stated_work: float = 1.0  # operations that the user gave over those of the dimensions
    published: Stored | None = None  # how the weights are published, where in 8 bits or fewer
    bf16_only: bool = False  # overflows in fp16

    @property
    def video_transformer(self) -> bool:
        """Whether it attends over clips; the other networks of its family are convolutions."""
        return self.family == "video" and self.traffic == "transformer"

    @property
    def seen_parameters(self) -> float:
        """Parameters of the tower of images that a token of the prompt passes."""
        tower = self.frozen_parameters if self.tower_parameters is None else self.tower_parameters
        return self.image_patches * tower

    @property
    def reads_images(self) -> bool:
        """Whether images may come with a prompt."""
        return self.image_patches > 0 or self.patches_if_stated > 0

    def tokens_of_image(self, size: tuple[int, ...]) -> int | None:
        """Tokens of an image of that height and width, or side; ``None`` where the model's plan is not known."""
        if not self.image_token_side:
            return self.most_image_tokens or None
        tokens = prod(ceil(side / self.image_token_side) for side in (size[0], size[-1]))
        return min(tokens, self.most_image_tokens or tokens)
