"""Recurrent networks from their sizes: cells over steps, words predicted at each of them or classes at the end."""

from __future__ import annotations

from dataclasses import dataclass

from .profile import ModelProfile, Reference

GATES = {"lstm": 4, "gru": 3, "plain": 1}
_KEPT_PER_UNIT = {"lstm": 8, "gru": 6, "plain": 2}  # elements a unit and step for the backward pass (memory study, 2)
# The product with the last state, and all gates in one: libraries take the products with the inputs of all steps
# together (arXiv 1604.01946, sections 3.1 and 3.2; cuDNN's recurrent networks, which frameworks call by default).
KERNELS_PER_CELL = 2
_KERNELS_AROUND = 10.0
_CELL_STATES = 2  # written beside the gates: cell and output
SEQUENCE = "one sequence of sequence_length tokens"


@dataclass(frozen=True)
class Cells:
    """Stacked cells: their kind, layers, width, the width of what the first layer reads, and directions."""

    kind: str
    layers: int
    width: int
    inputs: int
    directions: int = 1

    @property
    def parameters(self) -> float:
        """Weights of all gates."""
        rows = self.directions * GATES[self.kind] * self.width
        first = rows * (self.inputs + self.width)
        return float(first + (self.layers - 1) * rows * (self.directions * self.width + self.width))


def recurrent_model(
    name: str,
    cells: Cells,
    steps: int,
    source: str,
    *,
    words: int = 0,
    table: int = 0,
    classes: int = 0,
    kernels_per_cell: int = KERNELS_PER_CELL,
    sample: str = SEQUENCE,
    architecture: str = "lstm",
    aliases: tuple[str, ...] = (),
    dataset: str | None = None,
    script_batch: int | None = None,
) -> ModelProfile:
    """Cells over ``steps``: ``words`` predicted at each, ``classes`` at the end, ``table`` rows embedded."""
    outputs = cells.directions * cells.width
    per_step = cells.parameters + words * outputs
    logits, units = float(steps * words), steps * cells.layers * outputs
    return ModelProfile(
        name=name,
        family="rnn",
        sample=sample,
        parameters=per_step + classes * outputs + table * cells.inputs,
        forward_flops=2.0 * (steps * per_step + classes * outputs),
        written_elements=units * (GATES[cells.kind] + _CELL_STATES) + logits + classes,
        stored_elements=units * _KEPT_PER_UNIT[cells.kind] + logits,
        kernels=steps * cells.layers * cells.directions * kernels_per_cell + _KERNELS_AROUND,
        source=source,
        aliases=aliases,
        architecture=architecture,
        reference=Reference(sequence_length=steps),
        scaling="sequence",
        traffic="rnn",
        memory="rnn",
        fp32_elements=2 * logits,
        gathered_bytes=4.0 * steps * cells.inputs if table else 0.0,
        embedding_parameters=float(table * cells.inputs),
        sequential=True,
        default_dataset=dataset,
        script_batch=script_batch,
    )


# What a described network's figures leave open is as in word language models (arXiv 1409.2329, section 4.1): LSTM in
# two layers on 35 steps, over the 10,000 words of the Penn Treebank, in tables of rows as wide as the layers before and
# after them. The narrowest that is known is 200 wide (pytorch/examples, word_language_model).
_LAYERS, _STEPS, _WORDS, _NARROWEST = 2, 35, 10_000, 200
# Words that parameters beyond the cells must make to be tables; what makes fewer are weights of the features that the
# first layer reads, as of a series of measurements. A tenth of the Penn Treebank's, which are few for a language.
FEWEST_WORDS = _WORDS // 10


def described_recurrent(
    name: str, parameters: float, layers: int | None, width: int | None, dataset: str | None
) -> ModelProfile:
    """A network of so many parameters, whose reference is 35 steps; it has tables of words where they make them."""
    layers = layers or _LAYERS
    width = width or _width(parameters, layers)
    words = round((parameters - Cells("lstm", layers, width, width).parameters) / (2 * width))
    if words < FEWEST_WORDS:
        cells, words = _reading_features(parameters, layers, width), 0
    else:
        cells = Cells("lstm", layers, width, width)
    reads = f"{words} words" if words else f"{cells.inputs} features"
    source = f"derived: {layers} x {width} cells of kind {cells.kind} over {reads}"
    return recurrent_model(name, cells, _STEPS, source, words=words, table=words, architecture="", dataset=dataset)


def _width(parameters: float, layers: int) -> int:
    """The width of layers that make the parameters, with tables of words where they are wide enough for these."""
    per_square = 2.0 * GATES["lstm"] * layers
    with_words = ((_WORDS**2 + per_square * parameters) ** 0.5 - _WORDS) / per_square
    width: float = with_words if with_words >= _NARROWEST else (parameters / per_square) ** 0.5
    return max(1, round(width))


def _reading_features(parameters: float, layers: int, width: int) -> Cells:
    """Cells with the most gates that the parameters make, whose first layer reads as many features as are left."""
    for kind, gates in GATES.items():
        left = parameters - Cells(kind, layers, width, 0).parameters
        if left >= gates * width or kind == "plain":
            return Cells(kind, layers, width, max(1, round(left / (gates * width))))
    raise AssertionError(kind)
