"""Descriptions of models from files and modules: the object for the service, and the missing values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plimsoll import Client, NotInstalled, UnreadableFile, describe
from plimsoll.describing import torch_module
from plimsoll.describing.description import family_in
from plimsoll.describing.onnx_file import _described, _shapes

LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192,
    "tie_word_embeddings": False, "id2label": {"0": "a"}, "_name_or_path": "some/llama-8b",
}  # fmt: skip


def _config(folder: Path) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps(LLAMA))
    return file


def _safetensors(file: Path, tensors: dict[str, tuple[str, list[int]]]) -> Path:
    header = json.dumps({name: {"dtype": kind, "shape": shape} for name, (kind, shape) in tensors.items()}).encode()
    file.write_bytes(len(header).to_bytes(8, "little") + header)
    return file


DECODER = {
    "model.embed_tokens.weight": ("BF16", [1000, 64]),
    "model.layers.0.self_attn.q_proj.weight": ("BF16", [64, 64]),
    "model.layers.1.self_attn.q_proj.weight": ("BF16", [64, 64]),
    "model.layers.1.self_attn.rotary_emb.inv_freq": ("F32", [32]),
}
DECODERS_PARAMETERS = 1000 * 64 + 2 * 64 * 64


def test_a_configuration_is_passed_on_without_what_tells_no_size(tmp_path: Path) -> None:
    """The service reads the configuration itself; names of labels and the path of origin are left out."""
    expected = {name: value for name, value in LLAMA.items() if name not in ("id2label", "_name_or_path")}

    assert describe(_config(tmp_path)).model == {"name": "llama-8b", "config": expected}
    assert describe(tmp_path).model == {"name": "llama-8b", "config": expected}


def test_the_service_takes_what_is_described(tmp_path: Path) -> None:
    """The service answers both forms of a model, configuration and numbers."""
    _config(tmp_path)
    other = tmp_path / "numbers"
    other.mkdir()
    models = [describe(tmp_path).model, describe(_safetensors(other / "m.safetensors", DECODER), name="mine").model]
    work = {"task": "inference", "input_tokens": 100, "output_tokens": 100}

    with Client.local() as client:
        answers = [client.recommend({**work, "model": model}, limit=1) for model in models]

    assert all(answer.best is not None for answer in answers)


def test_a_safetensors_header_tells_parameters_and_layers(tmp_path: Path) -> None:
    """Computed tables are no parameters; layers and width come from names and shapes."""
    found = describe(_safetensors(tmp_path / "m.safetensors", DECODER))

    expected = {"name": "m", "family": "decoder", "parameters": DECODERS_PARAMETERS, "layers": 2, "hidden_size": 64}
    assert found.model == expected
    assert found.circumstances["stored"] == {"BF16": DECODERS_PARAMETERS}


def test_the_parts_of_an_index_count_together(tmp_path: Path) -> None:
    """A model in several files is described by their index."""
    _safetensors(tmp_path / "a.safetensors", dict(list(DECODER.items())[:2]))
    _safetensors(tmp_path / "b.safetensors", dict(list(DECODER.items())[2:]))
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": dict.fromkeys(DECODER, "a.safetensors") | {"x": "b.safetensors"}}))

    assert describe(index).model["parameters"] == DECODERS_PARAMETERS


def test_a_configuration_beside_the_tensors_says_more(tmp_path: Path) -> None:
    """The exact dimensions of a configuration beside the file are used."""
    _config(tmp_path)

    found = describe(_safetensors(tmp_path / "m.safetensors", DECODER))

    assert "config" in found.model
    assert found.circumstances["parameters"] == DECODERS_PARAMETERS


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.safetensors", b""),
        ("m.safetensors", b"\xff" * 16),
        ("m.safetensors", (2).to_bytes(8, "little") + b"{}"),
        ("m.safetensors", (8).to_bytes(8, "little") + b"{"),
        ("config.json", b"{}"),
        ("config.json", b"["),
        ("m.safetensors.index.json", b"{}"),
        ("m.pt", b""),
    ],
)
def test_what_is_no_model_is_refused_by_name(name: str, content: bytes, tmp_path: Path) -> None:
    """No file causes a crash."""
    file = tmp_path / name
    file.write_bytes(content)

    with pytest.raises(UnreadableFile, match=name.partition(".")[0]):
        describe(file)


@pytest.mark.parametrize(("source", "package"), [("m.onnx", "onnx"), ("m.keras", "keras"), ("a.b:c", "torch")])
def test_a_package_that_is_missing_is_named(source: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A framework is needed only for its own models."""
    monkeypatch.setitem(__import__("sys").modules, package, None)

    with pytest.raises(NotInstalled, match=package):
        describe(source)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("resnet50", "cnn"),
        ("ResNet", "cnn"),
        ("VideoResNet", "video"),
        ("T5ForConditionalGeneration", "encoder_decoder"),
        ("BertModel", "encoder"),
        ("GPT2LMHeadModel", "decoder"),
        ("MaskRCNN", "detection"),
        ("UNet2DConditionModel", "diffusion"),
        ("UNet", "segmentation"),
        ("Net", None),
    ],
)
def test_a_name_tells_the_family(name: str, family: str | None) -> None:
    """Short words count at the beginning of a word only: resnet50 is no T5."""
    assert family_in(name) == family


class _Layer:
    """A layer with the attributes of PyTorch's layers."""

    def __init__(self, size: int, **members: Any) -> None:
        self._size = size
        vars(self).update(members)

    def parameters(self) -> Iterator[Any]:
        yield SimpleNamespace(numel=lambda: self._size)

    def children(self) -> Iterator[Any]:
        return iter(())


class Conv2d(_Layer):
    """Named as in PyTorch."""


class Embedding(_Layer):
    """Named as in PyTorch."""


class _Net:
    def __init__(self, *layers: _Layer) -> None:
        self._layers = layers

    def parameters(self) -> Iterator[Any]:
        return (each for layer in self._layers for each in layer.parameters())

    def children(self) -> Iterator[Any]:
        return iter(self._layers)

    def modules(self) -> Iterator[Any]:
        return iter((self, *self._layers))


@pytest.mark.parametrize(
    ("layer", "shape", "model"),
    [
        (Conv2d(9, in_channels=3), (3, 224, 224), {"family": "cnn", "forward_flops_per_sample": 1280.0}),
        (Embedding(9), (128,), {"forward_flops_per_token": 10.0}),
    ],
)
def test_a_module_is_counted_at_its_customary_sample(
    layer: _Layer, shape: tuple[int, ...], model: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A convolution gets images and a table of words gets tokens, with operations per token.

    The stand-in has the members of a module that are asked for. docs/measuring.md has the counts of real
    modules.
    """
    asked: list[Any] = []
    monkeypatch.setattr(torch_module, "_operations", lambda _, sample: asked.append(sample) or 1280.0)

    found = torch_module.described(_Net(layer), "net")

    assert found.model == {"parameters": 9, **model}
    assert asked == [shape]
    assert str(shape) in found.unseen[-1]


def _onnx_graph() -> Any:
    """A convolution and a normalisation, with the attributes of ONNX's graphs."""

    def value(name: str, sizes: list[int]) -> Any:
        dims = [SimpleNamespace(dim_value=size) for size in sizes]
        return SimpleNamespace(
            name=name, type=SimpleNamespace(tensor_type=SimpleNamespace(shape=SimpleNamespace(dim=dims)))
        )

    def weight(name: str, dims: list[int], kind: int = 1) -> Any:
        return SimpleNamespace(name=name, dims=dims, data_type=kind)

    def node(kind: str, into: list[str], out: str) -> Any:
        return SimpleNamespace(op_type=kind, input=into, output=[out], attribute=[])

    return SimpleNamespace(
        name="main",
        initializer=[weight("w", [8, 3, 3, 3]), *(weight(n, [8]) for n in "abmv"), weight("shape", [4], 7)],
        input=[value("x", [1, 3, 10, 10])],
        value_info=[value("y", [1, 8, 8, 8])],
        output=[value("z", [1, 8, 8, 8])],
        node=[node("Conv", ["x", "w"], "y"), node("BatchNormalization", ["y", *"abmv"], "z")],
    )


def test_an_onnx_graph_is_counted() -> None:
    """Each output element of the convolution takes 27 multiply-adds; running statistics are no parameters.

    The stand-in has the members of ONNX's graph that are asked for.
    """
    graph = _onnx_graph()

    found = _described(graph, _shapes(graph), "net.onnx")

    assert found.model == {"family": "cnn", "parameters": 216 + 16, "forward_flops_per_sample": 2.0 * 8 * 8 * 8 * 27}
