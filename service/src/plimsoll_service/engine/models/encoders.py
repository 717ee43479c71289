"""Bidirectional text encoders: BERT and its kin. Samples are sequences of 384 tokens (SQuAD) unless said."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, encoder_model
from plimsoll_service.engine.models.profile import Transformer

_BERT_WORDS = 30522
_SQUAD_LENGTH = 384  # customary in the published question-answering runs


def _bert(layers: int, hidden: int, heads: int, vocabulary: int = _BERT_WORDS, **other: object) -> Transformer:
    sizes = (layers, hidden, heads, heads, hidden // heads, 4 * hidden)
    settings = {"positions": 512, "pooler": True, **other}
    return dimensions(sizes, vocabulary, 512, gated=False, tied=True, causal=False, **settings)


ENCODERS = (
    encoder_model(
        "bert-base",
        109_482_240,
        _bert(12, 768, 12),
        "arXiv 1810.04805, section 3",
        _SQUAD_LENGTH,
        ("bert-base-uncased", "bert-base-110m"),
    ),
    encoder_model(
        "bert-large",
        335_141_888,
        _bert(24, 1024, 16),
        "arXiv 1810.04805, section 3",
        _SQUAD_LENGTH,
        ("bert-large-uncased", "bert-large-340m"),
    ),
    encoder_model("roberta-base", 124_645_632, _bert(12, 768, 12, 50265), "arXiv 1907.11692", _SQUAD_LENGTH),
    encoder_model("roberta-large", 355_359_744, _bert(24, 1024, 16, 50265), "arXiv 1907.11692", _SQUAD_LENGTH),
    encoder_model(
        "xlm-roberta-base", 278_043_648, _bert(12, 768, 12, 250002), "arXiv 1911.02116", _SQUAD_LENGTH, ("xlm-r-base",)
    ),
    encoder_model(
        "xlm-roberta-large",
        559_890_432,
        _bert(24, 1024, 16, 250002),
        "arXiv 1911.02116",
        _SQUAD_LENGTH,
        ("xlm-r-large", "bge-m3"),
    ),
    encoder_model(
        "distilbert-base",
        66_362_880,
        _bert(6, 768, 12, pooler=False),
        "arXiv 1910.01108",
        _SQUAD_LENGTH,
        ("distilbert", "distilbert-base-uncased"),
    ),
    encoder_model(
        "albert-base",
        11_683_584,
        _bert(12, 768, 12, 30000, embedding_size=128, shared_layers=True),
        "arXiv 1909.11942, table 1",
        _SQUAD_LENGTH,
        ("albert", "albert-base-v2"),
    ),
    encoder_model(
        "albert-large",
        17_683_968,
        _bert(24, 1024, 16, 30000, embedding_size=128, shared_layers=True),
        "arXiv 1909.11942, table 1",
        _SQUAD_LENGTH,
        ("albert-large-v2",),
    ),
    encoder_model(
        "electra-small",
        13_548_800,
        dimensions(
            (12, 256, 4, 4, 64, 1024),
            _BERT_WORDS,
            512,
            gated=False,
            tied=True,
            causal=False,
            positions=512,
            embedding_size=128,
        ),
        "arXiv 2003.10555, table 6",
        _SQUAD_LENGTH,
    ),
    encoder_model(
        "electra-base",
        108_891_648,
        _bert(12, 768, 12, pooler=False),
        "arXiv 2003.10555, table 6",
        _SQUAD_LENGTH,
    ),
    encoder_model(
        "electra-large", 334_092_288, _bert(24, 1024, 16, pooler=False), "arXiv 2003.10555, table 6", _SQUAD_LENGTH
    ),
    encoder_model(
        "minilm-l6",
        22_713_216,
        _bert(6, 384, 12),
        "config.json of sentence-transformers/all-MiniLM-L6-v2",
        128,
        ("all-minilm-l6-v2", "all-minilm-l6"),
        "glue-mnli",
    ),
)
