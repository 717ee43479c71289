"""Generators of images that are trained against a discriminator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil, log2

from networks.walk import FLOP_PER_MAC, KEPT_WITH_NORM, Plan, Walk
from plimsoll_service.engine.models.profile import ModelProfile, Reference

_SIDE = 256  # of pix2pix and CycleGAN
# A step of training runs the discriminator on real and generated images, and once more for the generator's own loss,
# each forwards and backwards; the backward pass is twice the forward one. The maps of both images are kept together, or
# one after the other (junyanz/pytorch-CycleGAN-and-pix2pix @032e8843, models/pix2pix_model.py: the sum of both losses).
_JUDGED, _JUDGED_TOGETHER = 3.0, 2.0
# StyleGAN2's generator makes the judged images anew, forwards alone. Its regularisers differentiate a pass with its
# gradient: the generator's each fourth step on half a batch, the discriminator's each sixteenth (NVlabs/
# stylegan2-ada-pytorch, 2021: G_reg_interval, D_reg_interval, pl_batch_shrink).
_STYLED_PASSES, _STYLED_JUDGED = 1 + 1 / 3 + 2 / 4 / 2, _JUDGED + 2 / 16


def _down(walk: Walk, channels: int, norm: bool = True) -> Walk:
    return walk.conv(channels, 4, 2, 1, bias=True, norm=norm)


def _unet(walk: Walk) -> Walk:
    """pix2pix's generator: eight halvings and as many doublings, joined level by level (arXiv 1611.07004, 6.1.1)."""
    kept = []
    for channels in (64, 128, 256, 512, 512, 512, 512, 512):
        walk = _down(walk.fork(), channels)
        kept.append(walk)
    for channels in (512, 512, 512, 512, 256, 128, 64):
        walk = walk.fork().upconv(channels, 4).elementwise(2)
        kept.pop()
        walk = walk.joined(walk, kept[-1].fork())
    return walk.upconv(3, 4).elementwise()


def _residual(walk: Walk) -> Walk:
    """CycleGAN's generator: two halvings, nine residual blocks of 256, two doublings (arXiv 1703.10593, appendix)."""
    walk.conv(64, 7).conv(128, 3, 2).conv(256, 3, 2)
    for _ in range(9):
        walk.conv(256, 3).conv(256, 3, act=False).elementwise()
    walk.upconv(128, 3).elementwise(2)
    return walk.upconv(64, 3).elementwise(2).conv(3, 7, bias=True, norm=False)


def _patches(walk: Walk) -> Walk:
    """The discriminator of both, which sees 70 x 70 pixels."""
    for channels in (64, 128, 256):
        _down(walk, channels, channels > 64)
    return walk.conv(512, 4, 1, 1).conv(1, 4, 1, 1, bias=True, norm=False, act=False)


# Channels by side of StyleGAN2's configuration F (arXiv 1912.04958; NVlabs/stylegan2: 32 K / side, 512 at most).
_STYLED = {8: 512, 16: 512, 32: 512, 64: 512, 128: 256, 256: 128, 512: 64, 1024: 32}
_STYLE_LAYERS, _STYLE = 8, 512
# A styled convolution: the style's product, its weight's scaling and norm, noise, bias and activation, and a blur, of
# which the last three write its map again.
_STYLED_KERNELS, _WRITTEN_AGAIN = 8, 3
_STYLED_KEPT = 3 / (1 + _WRITTEN_AGAIN)  # of what is written: the styled map, the product and the activation


def _finished(walk: Walk) -> Walk:
    walk.count.outputs += _WRITTEN_AGAIN * walk.channels * walk.height * walk.width
    return walk.elementwise(_STYLED_KERNELS)


def _styled(walk: Walk) -> Walk:
    style = Walk(_STYLE, 1, 1, walk.count)
    for _ in range(_STYLE_LAYERS):
        style.linear(_STYLE, act=True)
    walk.count.parameters += 4 * 4 * _STYLE + _STYLE**2  # the constant, and the style of the first convolution
    _finished(walk.conv(_STYLE, 3, bias=True, norm=False))
    for channels in _STYLED.values():
        walk.count.parameters += _STYLE * (walk.channels + 2 * channels)
        _finished(walk.upconv(channels, 3))
        _finished(walk.conv(channels, 3, bias=True, norm=False))
        walk.fork().conv(3, 1, bias=True, norm=False, act=False).elementwise(3)
    return walk


def _judge(walk: Walk, side: int = 1024) -> Walk:
    first, *others = [channels for of_side, channels in reversed(_STYLED.items()) if of_side <= side]
    walk.conv(first, 1, bias=True, norm=False)
    for channels in [*others, _STYLE]:
        walk.fork().conv(channels, 1, 2, bias=False, norm=False, act=False)
        _finished(walk.conv(walk.channels, 3, bias=True, norm=False))
        _finished(walk.conv(channels, 3, 2, bias=True, norm=False))
    return walk.conv(_STYLE, 3, bias=True, norm=False).linear(_STYLE, act=True).linear(1)


# StyleGAN3 (arXiv 2106.12423, section 3.2 and appendix; NVlabs/stylegan3, training/networks_stylegan3.py): fourteen
# layers between cut-off frequencies from 2 to half of the side, the last two at the highest; margins of ten pixels;
# channels in inverse proportion to the frequency, 512 at most.
_LAYERS, _AT_THE_HIGHEST, _LOWEST_CUT, _LOWEST_STOP, _STOP_OVER_CUT, _MARGIN = 14, 2, 2.0, 2**2.1, 2**0.3, 10
_CAPACITY = 32_768
# Around each activation one kernel filters the map up to twice its rate and down again; the sums of a filtered value
# cost as much as writing it: NVlabs/stylegan3, docs/configs.md has 156.9 seconds for a thousand images of 1,024 pixels
# on an A100 and 221.9 on a V100, where this has 113 and 203. Four such images take 7.0 GB of its memory.
_ALIAS_FREE_KEPT = 1 / 3


def _alias_free_layers(side: int) -> list[tuple[int, int, int]]:
    """Rate, side and channels of each layer's map, the first that of its input's waves."""
    found = []
    for layer in range(_LAYERS):
        share = min(layer / (_LAYERS - _AT_THE_HIGHEST), 1.0)
        cut = _LOWEST_CUT * (side / 2 / _LOWEST_CUT) ** share
        stop = _LOWEST_STOP * (side / 2 * _STOP_OVER_CUT / _LOWEST_STOP) ** share
        rate = 2 ** ceil(log2(min(2 * stop, side)))
        width = side if layer == _LAYERS - 1 else rate + 2 * _MARGIN
        found.append((rate, width, round(min(_CAPACITY / 2 / cut, _STYLE))))
    return found


def _alias_free(walk: Walk, *, side: int) -> Walk:
    style = Walk(_STYLE, 1, 1, walk.count).linear(_STYLE, act=True).linear(_STYLE, act=True)
    layers = _alias_free_layers(side)
    before, width, channels = layers[0]
    walk.channels, walk.height, walk.width = channels, width, width
    walk.count.parameters += channels**2 + 4 * (style.channels + 1)  # the waves it starts from, turned by a style
    for rate, width, channels in layers:
        walk.count.parameters += (_STYLE + 1) * walk.channels
        walk.conv(channels, 3, padding=2, bias=True, norm=False)
        filtered = (2 * max(rate, before) / rate * width) ** 2 * channels
        before, walk.height, walk.width = rate, width, width
        walk.count.outputs += channels * width**2 + filtered
        walk.elementwise(_STYLED_KERNELS)
    walk.count.parameters += (_STYLE + 1) * walk.channels
    return walk.conv(3, 1, bias=True, norm=False, act=False).elementwise(3)


@dataclass(frozen=True)
class _Game:
    """What a step of training does with a sample: passes of generators and of discriminators, and those kept at once.

    ``batch``: of a device in the authors' script.
    """

    batch: int
    passes: float = 1.0
    judged: float = _JUDGED
    made_at_once: float = 1.0
    judged_at_once: float = 1.0
    kept: float = KEPT_WITH_NORM


def _against(
    name: str, generator: Plan, judge: Plan, start: Walk, side: int, source: str, game: _Game, *aliases: str
) -> ModelProfile:
    own, other = generator(start).count, judge(Walk(3, side, side)).count
    return ModelProfile(
        name=name, family="segmentation", sample=f"one {side} x {side} image", parameters=own.parameters,
        forward_flops=FLOP_PER_MAC * own.macs, written_elements=own.outputs,
        stored_elements=game.kept * own.outputs, kernels=own.kernels, source=source, aliases=aliases,
        architecture="unet", reference=Reference(image_size=(side, side)), scaling="area", traffic="segmentation",
        trained_work=game.passes + game.judged * other.macs / own.macs,
        trained_elements=game.made_at_once + game.judged_at_once * other.outputs / own.outputs,
        script_batch=game.batch, adversarial=True,
    )  # fmt: skip


def _alias_freed(name: str, side: int, batch: int, *aliases: str) -> ModelProfile:
    """StyleGAN3 of translation, whose generator has no regulariser of its own."""
    game = _Game(batch=batch, passes=1 + 1 / 3, judged=_STYLED_JUDGED, kept=_ALIAS_FREE_KEPT)
    walk, judge = partial(_alias_free, side=side), partial(_judge, side=side)
    source = "arXiv 2106.12423; NVlabs/stylegan3, walked layer by layer"
    return _against(name, walk, judge, Walk(_STYLE, 4, 4), side, source, game, *aliases)


ADVERSARIAL = (
    _against("pix2pix", _unet, _patches, Walk(3, _SIDE, _SIDE), _SIDE, "arXiv 1611.07004, walked layer by layer",
             _Game(batch=1, judged_at_once=_JUDGED_TOGETHER), "pix2pix-unet256"),
    _against("cyclegan", _residual, _patches, Walk(3, _SIDE, _SIDE), _SIDE,
             "arXiv 1703.10593, walked layer by layer; a step of training has six passes of two generators",
             _Game(batch=1, passes=6, judged=2 * _JUDGED, made_at_once=6, judged_at_once=2), "cycle-gan",
             "cyclegan-resnet9"),
    _against("stylegan2-1024", _styled, _judge, Walk(_STYLE, 4, 4), 1024,
             "arXiv 1912.04958, configuration F, walked layer by layer",
             _Game(batch=4, passes=_STYLED_PASSES, judged=_STYLED_JUDGED, kept=_STYLED_KEPT), "stylegan2", "stylegan-2",
             "stylegan2-ffhq"),
    _alias_freed("stylegan3-t", 1024, 4, "stylegan3", "stylegan-3", "stylegan3-t-1024", "stylegan3-ffhq"),
    _alias_freed("stylegan3-t-512", 512, 8, "stylegan3-512"),
    _alias_freed("stylegan3-t-256", 256, 16, "stylegan3-256"),
)  # fmt: skip
