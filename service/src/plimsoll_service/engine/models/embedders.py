"""Embedders and rerankers of retrieval: encoders by published size and the dimensions of what they come from."""

from __future__ import annotations

from dataclasses import replace

from plimsoll_service.engine.models.encoders import bert
from plimsoll_service.engine.models.profile import MixtureOfExperts, ModelProfile, Transformer
from plimsoll_service.engine.models.transformers import Sizes, dimensions, encoder_model

_PASSAGE = 512  # tokens of a sample: the longest text of most of these models
_MTEB = "embeddings-benchmark/mteb @a905523d01, 2026-08-22: parameters; "
_CHINESE = 21128  # words of bert-base-chinese
_XLM = 250002
_MINILM_MULTILINGUAL = 250037
_QWEN = 151936
_DEBERTA = 128100
_NOMIC = 30528
_MODERN = 50368


def _like(base: str) -> str:
    return f"{_MTEB}dimensions of {base}"


def _derived(base: str) -> str:
    return f"by family and dimensions: those of {base}"


def _gated(sizes: Sizes, words: int, context: int = 8192, **other: object) -> Transformer:
    """An encoder of a later plan: gated feed-forward blocks and rotary positions."""
    return dimensions(sizes, words, context, gated=True, tied=True, causal=False, **other)


def _decoder(sizes: Sizes, words: int, context: int = 32768, tied: bool = True) -> Transformer:
    """A language model that embeds: one pass, mostly without its output head."""
    return dimensions(sizes, words, context, tied=tied)


def _row(
    name: str, million: float, transformer: Transformer, source: str, *aliases: str, length: int = _PASSAGE,
    beside: float = 0.0,
) -> ModelProfile:  # fmt: skip
    """``beside``: millions of parameters held beside the layers, such as a tower of images."""
    most = min(length, transformer.context_length)
    model = encoder_model(name, million * 1e6, transformer, source, most, aliases)
    return replace(model, frozen_parameters=beside * 1e6)


_MINILM_6, _MINILM_12, _BASE, _LARGE = bert(6, 384, 12), bert(12, 384, 12), bert(12, 768, 12), bert(24, 1024, 16)
_XLM_BASE, _XLM_LARGE = bert(12, 768, 12, _XLM), bert(24, 1024, 16, _XLM)
_XLM_LONG = dimensions(
    (24, 1024, 16, 16, 64, 4096), _XLM, 8192, gated=False, tied=True, causal=False, positions=8194, pooler=True
)
_GTE_BASE = _gated((12, 768, 12, 12, 64, 3072), _NOMIC)
_GTE_LARGE = _gated((24, 1024, 16, 16, 64, 4096), _NOMIC)
_NOMIC_MOE = dimensions(
    (12, 768, 12, 12, 64, 3072), 250048, 512, gated=False, tied=True, causal=False,
    moe=MixtureOfExperts(experts=8, active=2, feed_forward=3072, moe_layers=6),
)  # fmt: skip
_MODERN_BASE = _gated((22, 768, 12, 12, 64, 1152), _MODERN, sliding_window=128, sliding_share=2 / 3)
_MODERN_LARGE = _gated((28, 1024, 16, 16, 64, 2624), _MODERN, sliding_window=128, sliding_share=2 / 3)
_MISTRAL = _decoder((32, 4096, 32, 8, 128, 14336), 32000)
_QWEN2_SMALL = _decoder((28, 1536, 12, 2, 128, 8960), _QWEN)
_QWEN3_SMALL, _QWEN3_MIDDLE, _QWEN3_LARGE = (
    _decoder((28, 1024, 16, 8, 128, 3072), 151669), _decoder((36, 2560, 32, 8, 128, 9728), 151669),
    _decoder((36, 4096, 32, 8, 128, 12288), 151669),
)  # fmt: skip

EMBEDDERS = (
    # BAAI.
    _row("bge-small-en", 33.4, _MINILM_12, _like("MiniLM-L12"), "bge-small-en-v1.5", "bge-small"),
    _row("bge-base-en", 109.48, _BASE, _like("BERT-base"), "bge-base-en-v1.5", "bge-base"),
    _row("bge-large-en", 335.1, _LARGE, _like("BERT-large"), "bge-large-en-v1.5", "bge-large"),
    _row("bge-small-zh", 24.0, bert(4, 512, 8, _CHINESE), _MTEB + "memory of 91 MB; 4 layers of 512",
         "bge-small-zh-v1.5"),
    _row("bge-base-zh", 102.3, bert(12, 768, 12, _CHINESE), _derived("bert-base-chinese"), "bge-base-zh-v1.5",
         "m3e-base", "text2vec-base-chinese"),
    _row("bge-large-zh", 325.5, bert(24, 1024, 16, _CHINESE), _derived("BERT-large with 21,128 words"),
         "bge-large-zh-v1.5", "m3e-large"),
    _row("bge-m3", 567.75, _XLM_LONG, _like("XLM-RoBERTa large, 8,192 tokens"), "bge-m3-unsupervised",
         "bge-m3-retromae"),
    _row("bge-reranker-v2-m3", 567.8, _XLM_LONG, _derived("bge-m3"), "bge-reranker", "bge-reranker-m3"),
    _row("bge-reranker-base", 278.0, _XLM_BASE, _derived("XLM-RoBERTa base")),
    _row("bge-reranker-large", 560.0, _XLM_LARGE, _derived("XLM-RoBERTa large")),
    _row("bge-reranker-v2-gemma", 2506.0, _decoder((18, 2048, 8, 1, 256, 16384), 256000, 8192), _derived("gemma-2b")),
    _row("bge-en-icl", 7110.0, _MISTRAL, _like("Mistral-7B")),
    _row("bge-multilingual-gemma2", 9240.0, _decoder((42, 3584, 16, 8, 256, 14336), 256000, 8192), _like("gemma-2-9b")),
    # Microsoft's E5.
    _row("e5-small", 33.4, _MINILM_12, _like("MiniLM-L12"), "e5-small-v2"),
    _row("e5-base", 109.48, _BASE, _like("BERT-base"), "e5-base-v2"),
    _row("e5-large", 335.1, _LARGE, _like("BERT-large"), "e5-large-v2"),
    _row("multilingual-e5-small", 118.0, bert(12, 384, 12, _MINILM_MULTILINGUAL), _like("multilingual MiniLM-L12"),
         "e5-small-multilingual"),
    _row("multilingual-e5-base", 278.0, _XLM_BASE, _like("XLM-RoBERTa base"), "e5-base-multilingual"),
    _row("multilingual-e5-large", 560.0, _XLM_LARGE, _like("XLM-RoBERTa large"), "e5-large-multilingual",
         "multilingual-e5"),
    _row("e5-mistral-7b", 7111.0, _MISTRAL, _like("Mistral-7B"), "e5-mistral"),
    # Alibaba's GTE and Qwen3-Embedding.
    _row("gte-small", 33.36, _MINILM_12, _like("MiniLM-L12")),
    _row("gte-base", 109.48, _BASE, _like("BERT-base")),
    _row("gte-large", 335.1, _LARGE, _like("BERT-large")),
    _row("gte-base-en-v1.5", 136.8, _GTE_BASE, _MTEB + "12 gated layers of 768"),
    _row("gte-large-en-v1.5", 434.1, _GTE_LARGE, "by family and dimensions: 24 gated layers of 1,024"),
    _row("gte-multilingual-base", 305.4, _gated((12, 768, 12, 12, 64, 3072), 250048), _MTEB + "12 gated layers of 768",
         "gte-multilingual", "gte-multilingual-reranker-base"),
    _row("gte-modernbert-base", 149.0, _MODERN_BASE, _like("ModernBERT base"), "modernbert-embed-base",
         "modernbert-base",
         "gte-reranker-modernbert-base", "modernbert"),
    _row("modernbert-large", 395.0, _MODERN_LARGE, "arXiv 2412.13663, table 3", "modernbert-embed-large"),
    _row("gte-qwen2-1.5b", 1543.3, _QWEN2_SMALL, _like("qwen2-1.5b")),
    _row("gte-qwen2-7b", 7069.1, _decoder((28, 3584, 28, 4, 128, 18944), 151646), _like("qwen2-7b")),
    _row("qwen3-embedding-0.6b", 595.8, _QWEN3_SMALL, _like("qwen3-0.6b"), "qwen3-embedding"),
    _row("qwen3-embedding-4b", 4021.8, _QWEN3_MIDDLE, _like("qwen3-4b")),
    _row("qwen3-embedding-8b", 7567.3, _QWEN3_LARGE, _like("qwen3-8b")),
    _row("qwen3-reranker-0.6b", 595.8, _QWEN3_SMALL, _like("qwen3-0.6b"), "qwen3-reranker", "jina-reranker-v3"),
    _row("qwen3-reranker-4b", 4021.8, _QWEN3_MIDDLE, _like("qwen3-4b")),
    _row("qwen3-reranker-8b", 8188.5, _decoder((36, 4096, 32, 8, 128, 12288), 151669, tied=False), _like("qwen3-8b")),
    # Nomic, Jina, Mixedbread, Snowflake, Stella and others.
    _row("nomic-embed-text-v1.5", 136.7, _GTE_BASE, _MTEB + "12 gated layers of 768", "nomic-embed-text",
         "nomic-embed-text-v1", "nomic-embed"),
    _row("nomic-embed-text-v2-moe", 475.3, _NOMIC_MOE, _MTEB + "8 experts, 2 a token, in every second layer",
         "nomic-embed-text-v2"),
    _row("jina-embeddings-v2-small-en", 32.7, _gated((4, 512, 8, 8, 64, 2048), _NOMIC), _MTEB + "4 layers of 512",
         "jina-embeddings-v2-small"),
    _row("jina-embeddings-v2-base-en", 137.4, _GTE_BASE, _MTEB + "12 gated layers of 768", "jina-embeddings-v2-base",
         "jina-embeddings-v2", "jina-embeddings-v2-base-de", "jina-embeddings-v2-base-zh", "jina-embeddings-v2-base-es",
         "jina-embeddings-v2-base-code"),
    _row("jina-embeddings-v3", 572.3, _XLM_LONG, _like("XLM-RoBERTa large, 8,192 tokens"), "jina-embeddings",
         "jina-v3"),
    _row("jina-embeddings-v4", 3085.7, _decoder((36, 2048, 16, 2, 128, 11008), _QWEN), _derived("Qwen2.5-VL-3B"),
         beside=669.0),
    _row("jina-embeddings-v5-text-small", 595.7, _QWEN3_SMALL, _like("qwen3-0.6b, with adapters 0.7 B"), beside=104.0),
    _row("jina-embeddings-v5-text-nano", 211.8, _gated((12, 768, 12, 12, 64, 3072), 128256),
         _MTEB + "12 layers of 768"),
    _row("jina-reranker-v2-base-multilingual", 278.0, _XLM_BASE, _derived("XLM-RoBERTa base"), "jina-reranker-v2",
         "jina-reranker"),
    _row("jina-reranker-m0", 1543.6, _QWEN2_SMALL, _derived("Qwen2-VL-2B"), beside=669.0),
    _row("mxbai-embed-large", 335.1, _LARGE, _like("BERT-large"), "mxbai-embed-large-v1"),
    _row("mxbai-embed-xsmall", 24.1, bert(6, 384, 12, positions=4096), _like("MiniLM-L6"), "mxbai-embed-xsmall-v1"),
    _row("mxbai-rerank-xsmall-v1", 70.8, bert(12, 384, 6, _DEBERTA, positions=0), _like("DeBERTa-v3 xsmall")),
    _row("mxbai-rerank-base-v1", 184.4, bert(12, 768, 12, _DEBERTA, positions=0), _like("DeBERTa-v3 base"),
         "deberta-v3-base", "deberta-v3"),
    _row("mxbai-rerank-large-v1", 435.1, bert(24, 1024, 16, _DEBERTA, positions=0), _like("DeBERTa-v3 large"),
         "deberta-v3-large"),
    _row("mxbai-rerank-base-v2", 494.0, _decoder((24, 896, 14, 2, 64, 4864), _QWEN), _like("qwen2.5-0.5b")),
    _row("mxbai-rerank-large-v2", 1543.7, _QWEN2_SMALL, _like("qwen2.5-1.5b"), "mxbai-rerank"),
    _row("snowflake-arctic-embed-xs", 22.7, _MINILM_6, _derived("MiniLM-L6"), "arctic-embed-xs"),
    _row("snowflake-arctic-embed-s", 33.4, _MINILM_12, _derived("MiniLM-L12"), "arctic-embed-s"),
    _row("snowflake-arctic-embed-m", 109.48, _BASE, _like("BERT-base"), "arctic-embed-m", "snowflake-arctic-embed",
         "snowflake-arctic-embed-m-v1.5"),
    _row("snowflake-arctic-embed-m-long", 136.7, _GTE_BASE, _derived("nomic-embed-text-v1")),
    _row("snowflake-arctic-embed-l", 335.1, _LARGE, _derived("BERT-large"), "arctic-embed-l"),
    _row("snowflake-arctic-embed-m-v2.0", 305.4, _gated((12, 768, 12, 12, 64, 3072), 250048),
         _derived("gte-multilingual-base"), "arctic-embed-m-v2.0"),
    _row("snowflake-arctic-embed-l-v2.0", 567.75, _XLM_LONG, _like("bge-m3"), "arctic-embed-l-v2.0",
         "snowflake-arctic-embed2"),
    _row("stella-en-400m", 435.0, _GTE_LARGE, _like("gte-large-en-v1.5"), "stella-en-400m-v5", "stella-400m"),
    _row("stella-en-1.5b", 1540.0, _QWEN2_SMALL, _like("qwen2-1.5b"), "stella-en-1.5b-v5", "stella-1.5b"),
    _row("embeddinggemma-300m", 307.6, _decoder((24, 768, 3, 1, 256, 1152), 262144, 2048),
         _MTEB + "by dimensions: 24 layers of 768", "embeddinggemma", "embedding-gemma"),
    _row("nv-embed-v2", 7110.0, _MISTRAL, _like("Mistral-7B"), "nv-embed", "nv-embed-v1", beside=740.0),
    _row("llama-nemotron-rerank-1b", 1235.8, _decoder((16, 2048, 32, 8, 64, 8192), 128256, 4096), _like("llama-3.2-1b"),
         "llama-nemotron-rerank-1b-v2", "llama-nemotron-embed-1b-v2", "llama-3.2-nv-embedqa-1b-v2",
         "llama-3.2-nv-rerankqa-1b-v2"),
    # Sentence Transformers and the cross-encoders of MS MARCO.
    _row("all-minilm-l12", 33.36, _MINILM_12, _like("MiniLM-L12"), "all-minilm-l12-v2", "minilm-l12",
         "paraphrase-minilm-l12-v2",
         length=128),
    _row("all-mpnet-base", 109.49, bert(12, 768, 12, 30527, positions=514), _like("MPNet base"), "all-mpnet-base-v2",
         "mpnet-base", "multi-qa-mpnet-base-dot-v1", "multi-qa-mpnet-base-cos-v1", "paraphrase-mpnet-base-v2",
         length=384),
    _row("all-distilroberta-v1", 82.1, bert(6, 768, 12, 50265), _derived("DistilRoBERTa"), "distilroberta-base"),
    _row("paraphrase-multilingual-minilm-l12", 117.65, bert(12, 384, 12, _MINILM_MULTILINGUAL),
         _like("multilingual MiniLM-L12"), "paraphrase-multilingual-minilm-l12-v2", length=128),
    _row("paraphrase-multilingual-mpnet-base", 278.0, _XLM_BASE, _derived("XLM-RoBERTa base"),
         "paraphrase-multilingual-mpnet-base-v2", "paraphrase-multilingual", length=128),
    _row("labse", 470.9, bert(12, 768, 12, 501153), _MTEB + "dimensions of BERT-base with 501,153 words"),
    _row("distiluse-base-multilingual-cased", 134.7, bert(6, 768, 12, 119547), _derived("multilingual DistilBERT"),
         "distiluse-base-multilingual-cased-v2", "distiluse-base-multilingual-cased-v1", length=128),
    _row("ms-marco-minilm-l6", 22.7, _MINILM_6, _derived("MiniLM-L6"), "ms-marco-minilm-l-6-v2",
         "ms-marco-minilm-l6-v2",
         "ms-marco-minilm", "cross-encoder-ms-marco-minilm-l-6-v2"),
    _row("ms-marco-minilm-l12", 33.4, _MINILM_12, _derived("MiniLM-L12"), "ms-marco-minilm-l-12-v2",
         "ms-marco-minilm-l12-v2"),
    _row("ms-marco-minilm-l4", 19.2, bert(4, 384, 12), _derived("MiniLM of 4 layers"), "ms-marco-minilm-l-4-v2",
         "ms-marco-minilm-l4-v2"),
    _row("ms-marco-minilm-l2", 15.6, bert(2, 384, 12), _derived("MiniLM of 2 layers"), "ms-marco-minilm-l-2-v2",
         "ms-marco-minilm-l2-v2"),
    _row("ms-marco-tinybert-l2", 4.4, bert(2, 128, 2), _derived("TinyBERT of 2 layers"), "ms-marco-tinybert-l-2-v2",
         "ms-marco-tinybert-l2-v2"),
    _row("colbert-v2", 109.6, _BASE, _derived("BERT-base"), "colbertv2.0", "colbertv2", "colbert", "splade-v3",
         "splade-cocondenser-ensembledistil"),
    _row("jina-colbert-v2", 560.0, _XLM_LONG, _derived("XLM-RoBERTa large")),
    _row("answerai-colbert-small", 33.4, _MINILM_12, _derived("MiniLM-L12"), "answerai-colbert-small-v1"),
)  # fmt: skip
