"""Forecasts of the weather on a grid of a quarter of a degree: one step of six hours."""

from __future__ import annotations

from networks.walk import FLOP_PER_MAC
from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.transformers import KERNELS_PER_LAYER

_ROWS, _COLUMNS = 721, 1440
# GraphCast (arXiv 2212.12794, supplement 3): nodes and edges, all with 512 values; products of two layers at each edge,
# over its own values and those of both ends, and at each node, over its own and the sum of its edges.
_WIDTH, _STEPS = 512, 16
_MESH_NODES, _MESH_EDGES, _TO_MESH, _TO_GRID = 40_962, 327_660, 1_618_746, 3_114_720
_INPUTS, _OUTPUTS = 474, 227


def _graphcast() -> ModelProfile:
    grid, width = _ROWS * _COLUMNS, _WIDTH
    edge, node, own = 4 * width**2, 3 * width**2, 2 * width**2  # products after three, two and one inputs
    edges = _STEPS * _MESH_EDGES + _TO_MESH + _TO_GRID
    nodes = (_STEPS + 1) * _MESH_NODES + grid
    embedded = grid * (_INPUTS * width + width**2) + (_TO_MESH + _TO_GRID + _MESH_EDGES) * width**2
    macs = edges * edge + nodes * node + grid * own + embedded + grid * (width**2 + width * _OUTPUTS)
    written = edges * 6.0 * width + (nodes + 3 * grid) * 4.0 * width  # joined inputs, both layers, the sum
    return ModelProfile(
        name="graphcast", family="encoder", sample="one step of six hours at 0.25 degrees", parameters=36.7e6,
        forward_flops=float(FLOP_PER_MAC * macs), written_elements=written, stored_elements=1.6 * written,
        kernels=(_STEPS + 2) * 20.0, source="arXiv 2212.12794, supplement 3: counted by its nodes and edges",
        aliases=("graphcast-0.25",), architecture="bert", traffic="transformer", memory="encoder",
    )  # fmt: skip


# FourCastNet (arXiv 2202.11214, table 3): patches of 8 x 8 of 20 variables, 12 layers of 768 whose mixing is a product
# of complex numbers in 8 blocks, at half of the frequencies.
_PATCH, _VARIABLES, _LAYERS, _MIXED, _BLOCKS, _MLP = 8, 20, 12, 768, 8, 4


def _fourcastnet() -> ModelProfile:
    high, wide = _ROWS // _PATCH, _COLUMNS // _PATCH
    tokens, frequencies = high * wide, high * (wide // 2 + 1)
    mixing, products = 2 * 2 * _MIXED**2 / _BLOCKS, 2 * _MLP * _MIXED**2
    ends = 2 * _VARIABLES * _PATCH**2 * _MIXED
    macs = _LAYERS * (tokens * products + 2 * frequencies * mixing) + tokens * ends
    written = _LAYERS * tokens * (10.0 + _MLP) * _MIXED
    return ModelProfile(
        name="fourcastnet", family="encoder", sample="one step of six hours at 0.25 degrees",
        parameters=float(_LAYERS * (products + mixing) + ends + tokens * _MIXED),
        forward_flops=FLOP_PER_MAC * macs, written_elements=written, stored_elements=1.6 * written,
        kernels=float(KERNELS_PER_LAYER * _LAYERS), source="arXiv 2202.11214, table 3, by dimensions",
        aliases=("fourcastnet-v1", "afno"), architecture="bert", reference=Reference(image_size=(_ROWS, _COLUMNS)),
        scaling="area", traffic="transformer", memory="encoder",
    )  # fmt: skip


WEATHER = (_graphcast(), _fourcastnet())
