"""Walks through a network layer by layer and counts: multiply-adds, parameters, written elements, kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plimsoll_service.engine.models.profile import Transformer

FLOP_PER_MAC = 2

# Elements kept for the backward pass per written element (memory study, section 2).
KEPT_WITH_NORM = 2.0  # input of the normalisation and output of the activation
KEPT_PLAIN = 2.25  # outputs before and after the activation, and the pools
KEPT_WITH_RESPONSE_NORM = 2.5
KEPT_ALEXNET = 3.0  # two local response normalisations on its widest maps
KEPT_GATED = 3.0  # SiLU and squeeze-and-excite
KEPT_CONCATENATED = 3.2  # DenseNet: every concatenation is a copy

Pair = tuple[int, int]


# Windows, steps and groups of convolutions that libraries transform: those of 3 x 3 by minimal filtering, and those of
# 5 x 5 by Fourier transforms (developer.nvidia.com/cudnn-whatsnew, read 2026-11-28: cuDNN 5, 4 and 3).
TRANSFORMED = ((3, 3, 1, 1), (5, 5, 1, 1), (3, 3, 1, 2), (5, 5, 1, 2))  # two towers are two convolutions


@dataclass
class Count:
    """Sums over the layers walked so far; ``outputs`` are elements written by convolutions and products."""

    macs: float = 0.0
    parameters: float = 0.0
    outputs: float = 0.0
    kernels: float = 0.0
    in_blocks: float = 0.0  # of the multiply-adds, those of transformer blocks
    scores: float = 0.0  # of those, the ones of every pair of places
    scored: float = 0.0  # of the outputs, the scores of every pair of places
    prompt: float = 0.0  # share of the places that is the prompt's, whatever the image
    copies: float = 0.0  # elements written by concatenations, enlargements and additions
    transformed: float = 0.0  # of the multiply-adds, of convolutions that libraries transform

    @property
    def wide(self) -> bool:
        """Whether transformer blocks do most of the work, in products as large as a language model's."""
        return 2 * self.in_blocks > self.macs

    @property
    def paired(self) -> float:
        """Share of the multiply-adds that grows with the square of the places."""
        return self.scores / self.macs if self.macs else 0.0


@dataclass
class Walk:
    """A feature map on its way through the layers; forks share the count."""

    channels: int
    height: int
    width: int
    count: Count = field(default_factory=Count)

    def fork(self) -> Walk:
        """A second path from here."""
        return Walk(self.channels, self.height, self.width, self.count)

    def conv(
        self,
        channels: int,
        kernel: int | Pair,
        stride: int = 1,
        padding: int | Pair | None = None,
        groups: int = 1,
        bias: bool = False,
        norm: bool = True,
        act: bool = True,
    ) -> Walk:
        """A convolution, padded to keep the size where nothing else is said."""
        high, wide = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        if padding is None:
            padding = (high // 2, wide // 2)
        above, beside = padding if isinstance(padding, tuple) else (padding, padding)
        weights = channels * (self.channels // groups) * high * wide
        self.height = (self.height + 2 * above - high) // stride + 1
        self.width = (self.width + 2 * beside - wide) // stride + 1
        self.channels = channels
        macs = weights * self.height * self.width
        self.count.transformed += macs * ((high, wide, stride, groups) in TRANSFORMED)
        self._add(macs, weights + channels * bias + 2 * channels * norm, norm + act)
        return self

    def upconv(self, channels: int, kernel: int = 2, stride: int = 2) -> Walk:
        """A transposed convolution that multiplies the size by ``stride``."""
        taps = kernel**2
        weights = self.channels * channels * taps
        macs = weights * self.height * self.width
        self.height, self.width, self.channels = self.height * stride, self.width * stride, channels
        self._add(macs, weights + channels, 0)
        return self

    def pool(self, kernel: int, stride: int, padding: int = 0) -> Walk:
        """Maximum or mean over windows."""
        self.height = (self.height + 2 * padding - kernel) // stride + 1
        self.width = (self.width + 2 * padding - kernel) // stride + 1
        self.count.kernels += 1
        return self

    def mean(self) -> Walk:
        """The mean over the whole map."""
        self.height = self.width = 1
        self.count.kernels += 1
        return self

    def linear(self, outputs: int, act: bool = False) -> Walk:
        """A product with all of the map."""
        weights = self.channels * self.height * self.width * outputs
        self.channels, self.height, self.width = outputs, 1, 1
        self._add(weights, weights + outputs, act)
        return self

    def upsample(self, factor: int = 2) -> Walk:
        """Nearest or bilinear enlargement."""
        self.height, self.width = self.height * factor, self.width * factor
        return self.elementwise()

    def joined(self, *paths: Walk) -> Walk:
        """The paths' channels side by side, in place of this map."""
        self.channels, self.height, self.width = sum(path.channels for path in paths), paths[0].height, paths[0].width
        return self.elementwise()

    def elementwise(self, kernels: int = 1) -> Walk:
        """Additions, scalings and the like, which launch but multiply nothing."""
        self.count.kernels += kernels
        self.count.copies += self.channels * self.height * self.width
        return self

    def squeeze_excite(self, inner: int) -> Walk:
        """Channel weights from the mean of the map (arXiv 1709.01507)."""
        weights = 2 * self.channels * inner
        self.count.macs += weights
        self.count.parameters += weights + inner + self.channels
        self.count.outputs += inner + self.channels
        self.count.kernels += 6
        return self

    def _add(self, macs: float, parameters: float, extra_kernels: int) -> None:
        self.count.macs += macs
        self.count.parameters += parameters
        self.count.outputs += self.channels * self.height * self.width
        self.count.kernels += 1 + extra_kernels


Plan = Callable[[Walk], Walk]


Sizes = tuple[int, int, int, int, int, int]  # layers, hidden, heads, KV heads, head size, feed-forward


def dimensions(
    sizes: Sizes,
    vocabulary: int,
    context: int,
    *,
    gated: bool = True,
    tied: bool = False,
    causal: bool = True,
    **other: Any,
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
        **other,
    )
