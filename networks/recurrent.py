"""Recurrent networks."""

from __future__ import annotations

from typing import Any

from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.recurrent import SEQUENCE as _SEQUENCE
from plimsoll_service.engine.models.recurrent import Cells, recurrent_model

_KERAS = "Keras's example of that name: sizes from the script"


def _recurrent(
    name: str, cell: str, layers: int, width: int, inputs: int, steps: int, *, source: str, directions: int = 1,
    **other: Any,
) -> ModelProfile:  # fmt: skip
    return recurrent_model(name, Cells(cell, layers, width, inputs, directions), steps, source, **other)


_WORDS = 10_000  # vocabulary of the Penn Treebank set (S3-01)
_WIKITEXT_2_WORDS = 33_278  # arXiv 1609.07843, table 1
_ZAREMBA = "arXiv 1409.2329, section 4.1 (medium: 2 layers of 650, 35 steps)"
_PTB_BATCH = 20  # of all configurations in tensorflow/models@086660fa, tutorials/rnn/ptb/ptb_word_lm.py
_UNFUSED = 12  # kernels a step of Keras's own recurrent loop: two products and the gates one by one
_PLAIN = "one layer over 30 steps of inputs as wide as itself (rnn-benchmarks)"

RNN = (
    _recurrent("lstm", "lstm", 2, 650, 650, 35, words=_WORDS, table=_WORDS, source=_ZAREMBA, sample=_SEQUENCE,
               aliases=("lstm-medium", "word-lstm", "ptb-lstm", "lstm-language-model"), dataset="ptb",
               script_batch=_PTB_BATCH),
    _recurrent("lstm-large", "lstm", 2, 1500, 1500, 35, words=_WORDS, table=_WORDS,
               source="arXiv 1409.2329, section 4.1 (large)", sample=_SEQUENCE, dataset="ptb",
               script_batch=_PTB_BATCH),
    _recurrent("lstm-word-language-model", "lstm", 2, 200, 200, 35, words=_WIKITEXT_2_WORDS, table=_WIKITEXT_2_WORDS,
               source="pytorch/examples, word_language_model: its defaults (2 layers of 200, 35 steps)",
               sample=_SEQUENCE, aliases=("word-language-model", "pytorch-word-language-model"), dataset="wikitext-2",
               script_batch=20),
    _recurrent("gru", "gru", 2, 650, 650, 35, words=_WORDS, table=_WORDS, source=_ZAREMBA + ", with gated units",
               sample=_SEQUENCE, aliases=("word-gru", "gru-language-model"), dataset="ptb", script_batch=_PTB_BATCH),
    _recurrent("rnn", "plain", 2, 650, 650, 35, words=_WORDS, table=_WORDS, source=_ZAREMBA + ", with plain cells",
               sample=_SEQUENCE, aliases=("word-rnn", "vanilla-rnn", "rnn-language-model"), dataset="ptb",
               script_batch=_PTB_BATCH),
    _recurrent("rnn-128", "plain", 1, 128, 128, 30, source=_PLAIN, sample=_SEQUENCE),
    _recurrent("rnn-512", "plain", 1, 512, 512, 30, source=_PLAIN, sample=_SEQUENCE, aliases=("rnn-1-layer",)),
    _recurrent("rnn-1024", "plain", 1, 1024, 1024, 30, source=_PLAIN, sample=_SEQUENCE),
    _recurrent("bilstm", "lstm", 1, 64, 128, 100, table=20_000, classes=1, directions=2, kernels_per_cell=_UNFUSED,
               source=_KERAS + " (imdb_bidirectional_lstm)", sample="one review of 100 words",
               aliases=("bidirectional-lstm", "imdb-bilstm", "imdb-bidirectional-lstm"), dataset="imdb",
               architecture="keras", script_batch=32),
    _recurrent("lstm-text-generation", "lstm", 1, 128, 57, 40, classes=57, kernels_per_cell=_UNFUSED,
               source=_KERAS + " (lstm_text_generation)", sample="one window of 40 characters",
               aliases=("keras-lstm-text-generation", "lstm-128-char-model", "char-lstm"), dataset="nietzsche",
               architecture="keras", script_batch=128),
    _recurrent("char-embedding-lstm", "lstm", 1, 128, 300, 40, table=95, classes=95, kernels_per_cell=_UNFUSED,
               source="character embeddings of 300 before one LSTM of 128 (char-embeddings)",
               sample="one window of 40 characters",
               aliases=("char-embedding-300-d-lstm-128-dense", "char-embeddings"), dataset="nietzsche",
               architecture="keras"),
)  # fmt: skip
