"""An ONNX file: parameters of its initializers, operations of its matrix products and convolutions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from plimsoll.describing.description import FAMILY, Description, family_in
from plimsoll.errors import NotInstalled, UnreadableFile

Shape = tuple[int, ...]
Shapes = Mapping[str, Shape]
_FLOPS = 2  # a multiply-add counts as two
_BATCH = 1
_TOKENS = 128
# A normalisation's running statistics are initializers, but no parameters.
_STATISTICS = {"BatchNormalization": slice(3, 5)}


def describe(text: str, shape: tuple[int, ...] | None) -> Description:
    """Return the parameters and operations of a file."""
    try:
        import onnx
    except ImportError as error:
        raise NotInstalled("describing an ONNX file needs onnx: pip install 'plimsoll[onnx]'") from error
    try:
        model = onnx.load(text, load_external_data=False)
        _fix_inputs(model, shape)
        graph = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    except OSError as error:
        raise UnreadableFile(f"{text}: cannot be read: {error.strerror or error}") from error
    except Exception as error:  # the parser's own, of several kinds
        raise UnreadableFile(f"{text}: is no ONNX file: {error}") from error
    return _described(graph, _shapes(graph), text)


def _described(graph: Any, shapes: Shapes, text: str) -> Description:
    weights = {one.name: math.prod(one.dims) for one in graph.initializer if one.data_type in _FLOATS}
    aside = {name for node in graph.node for name in list(node.input)[_STATISTICS.get(node.op_type, slice(0, 0))]}
    parameters = sum(size for name, size in weights.items() if name not in aside)
    if not parameters:
        raise UnreadableFile(f"{text}: holds no weights")
    known = [_operations(node, shapes) for node in graph.node if node.op_type in _COUNTED]
    family = family_in(graph.name, text.replace("\\", "/").rpartition("/")[2]) or _family(graph)
    model: dict[str, Any] = {"family": family, "parameters": parameters}
    unseen = [FAMILY] if family is None else []
    inputs = {one.name: shapes.get(one.name) for one in graph.input if one.name not in weights}
    if known and None not in known and sum(filter(None, known)):
        model["forward_flops_per_sample"] = float(sum(filter(None, known)))
        unseen.append(f"inputs of other shapes than {inputs}: its operations are those of one such sample")
    else:
        unseen.append("the operations: the file leaves shapes open; give that of one sample, such as --shape 3,224,224")
    if not any(node.op_type in _STATISTICS for node in graph.node):
        unseen.append("parameters that the export folded into others, as it does with normalisation")
    stepped = sorted({node.op_type for node in graph.node} & {"Loop", "If", "Scan", "LSTM", "GRU", "RNN"})
    if stepped:
        unseen.append(f"the operations inside {', '.join(stepped)}")
    return Description({name: value for name, value in model.items() if value is not None}, unseen)


# TensorProto's numbers of floating-point and 8-bit types (onnx.proto): the tables of shapes are of 64-bit integers.
_FLOATS = frozenset((1, 2, 3, 10, 11, 16, 17, 18, 19, 20))


def _fix_inputs(model: Any, shape: Shape | None) -> None:
    """Give open dimensions of the inputs a value: one sample, of the given shape, with the customary tokens."""
    weights = {one.name for one in model.graph.initializer}
    for one in model.graph.input:
        if one.name in weights:
            continue
        for place, dimension in enumerate(one.type.tensor_type.shape.dim):
            if dimension.HasField("dim_value") and dimension.dim_value > 0 and (place > 0 or shape is None):
                continue
            if place == 0:
                dimension.dim_value = _BATCH
            elif shape is not None and place - 1 < len(shape):
                dimension.dim_value = shape[place - 1]


def _shapes(graph: Any) -> dict[str, Shape]:
    found = {one.name: tuple(one.dims) for one in graph.initializer}
    for one in (*graph.input, *graph.value_info, *graph.output):
        sizes = tuple(int(each.dim_value) for each in one.type.tensor_type.shape.dim)
        if sizes and all(sizes):
            found[one.name] = sizes
    return found


def _operations(node: Any, shapes: Shapes) -> float | None:
    into = [shapes.get(name) for name in node.input]
    out = shapes.get(node.output[0])
    if out is None or len(into) < 2 or into[0] is None or into[1] is None:
        return None
    return _FLOPS * _COUNTED[node.op_type](node, into[0], into[1], out)


def _convolution(_: Any, __: Shape, weight: Shape, out: Shape) -> float:
    return float(math.prod(out) * math.prod(weight[1:]))


def _transposed(_: Any, into: Shape, weight: Shape, __: Shape) -> float:
    return float(math.prod(into) * math.prod(weight[1:]))


def _product(_: Any, into: Shape, __: Shape, out: Shape) -> float:
    return float(math.prod(out) * into[-1])


def _gemm(node: Any, into: Shape, _: Shape, out: Shape) -> float:
    turned = any(each.name == "transA" and each.i for each in node.attribute)
    return float(math.prod(out) * into[0 if turned else -1])


_COUNTED: dict[str, Callable[[Any, Shape, Shape, Shape], float]] = {
    "Conv": _convolution,
    "ConvTranspose": _transposed,
    "Gemm": _gemm,
    "MatMul": _product,
}


def _family(graph: Any) -> str | None:
    kinds = {node.op_type for node in graph.node}
    if kinds & {"LSTM", "GRU", "RNN"}:
        return "rnn"
    if "Conv" in kinds:
        return "cnn"
    return "mlp" if "Gemm" in kinds and "Softmax" not in kinds else None
