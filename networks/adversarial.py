"""Generators of images that are trained against a discriminator."""

from __future__ import annotations

from networks.walk import FLOP_PER_MAC, KEPT_WITH_NORM, Plan, Walk
from plimsoll_service.engine.models.profile import ModelProfile, Reference

_SIDE = 256  # of pix2pix and CycleGAN
# A step of training runs the discriminator on real and generated images, and once more for the generator's own loss,
# each forwards and backwards; the backward pass is twice the forward one.
_JUDGED = 3


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


def _judge(walk: Walk) -> Walk:
    walk.conv(32, 1, bias=True, norm=False)
    for channels in [*[*reversed(_STYLED.values())][1:], _STYLE]:
        walk.fork().conv(channels, 1, 2, bias=False, norm=False, act=False)
        _finished(walk.conv(walk.channels, 3, bias=True, norm=False))
        _finished(walk.conv(channels, 3, 2, bias=True, norm=False))
    return walk.conv(_STYLE, 3, bias=True, norm=False).linear(_STYLE, act=True).linear(1)


def _against(
    name: str, generator: Plan, judge: Plan, start: Walk, side: int, source: str, passes: int, *aliases: str
) -> ModelProfile:  # fmt: skip
    """``passes``: of generators in a step of training, with as many networks that judge."""
    own, other = generator(start).count, judge(Walk(3, side, side)).count
    networks = 1 if passes == 1 else 2
    work = passes + networks * _JUDGED * other.macs / own.macs
    kept = passes + networks * _JUDGED * other.outputs / own.outputs
    return ModelProfile(
        name=name, family="segmentation", sample=f"one {side} x {side} image", parameters=own.parameters,
        forward_flops=FLOP_PER_MAC * own.macs, written_elements=own.outputs,
        stored_elements=KEPT_WITH_NORM * own.outputs, kernels=own.kernels, source=source, aliases=aliases,
        architecture="unet", reference=Reference(image_size=(side, side)), scaling="area", traffic="segmentation",
        trained_work=work, trained_elements=kept,
    )  # fmt: skip


ADVERSARIAL = (
    _against("pix2pix", _unet, _patches, Walk(3, _SIDE, _SIDE), _SIDE, "arXiv 1611.07004, walked layer by layer", 1,
             "pix2pix-unet256"),
    _against("cyclegan", _residual, _patches, Walk(3, _SIDE, _SIDE), _SIDE,
             "arXiv 1703.10593, walked layer by layer; a step of training has six passes of two generators", 6,
             "cycle-gan", "cyclegan-resnet9"),
    _against("stylegan2-1024", _styled, _judge, Walk(_STYLE, 4, 4), 1024,
             "arXiv 1912.04958, configuration F, walked layer by layer", 1, "stylegan2", "stylegan-2",
             "stylegan2-ffhq"),
)  # fmt: skip
