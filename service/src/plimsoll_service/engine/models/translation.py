"""Machine translation and the multilingual text-to-text models: encoder-decoders by their dimensions."""

from __future__ import annotations

from plimsoll_service.engine.models.profile import ModelProfile, Transformer
from plimsoll_service.engine.models.transformers import dimensions, encoder_decoder_model, parameters_of

_SENTENCE = 32  # tokens a side of a pair of sentences, about the mean
_NLLB_WORDS, _M2M_WORDS, _MBART_WORDS, _MT5_WORDS, _MADLAD_WORDS = 256_206, 128_112, 250_054, 250_112, 256_000
_NLLB = "arXiv 2207.04672; by dimensions, which make the size in its name"
_M2M = "arXiv 2010.11125; by dimensions, which make the size in its name"


def _pair(layers: int, hidden: int, heads: int, inner: int, words: int, context: int = 1024) -> Transformer:
    """``layers`` of the encoder and as many of the decoder, with one table of words for both."""
    sizes = (2 * layers, hidden, heads, heads, hidden // heads, inner)
    return dimensions(sizes, words, context, gated=False, tied=True, causal=False, cross_attention_layers=layers)


def _gated(
    layers: int, hidden: int, heads: int, inner: int, words: int, head_size: int = 64, tied: bool = False
) -> Transformer:
    """T5's later plan: gated feed-forward blocks, and a head of its own."""
    sizes = (2 * layers, hidden, heads, heads, head_size, inner)
    return dimensions(sizes, words, 512, gated=True, tied=tied, causal=False, cross_attention_layers=layers)


def _row(name: str, transformer: Transformer, source: str, *aliases: str, length: int = _SENTENCE) -> ModelProfile:
    parameters = parameters_of(transformer)
    return encoder_decoder_model(name, parameters, transformer, source, length, aliases, "wmt14-en-de")


TRANSLATION = (
    _row("nllb-200-600m", _pair(12, 1024, 16, 4096, _NLLB_WORDS), "config.json of facebook/nllb-200-distilled-600M",
         "nllb-200-distilled-600m", "nllb-600m", "nllb-distilled-600m", "nllb", "nllb-200"),
    _row("nllb-200-1.3b", _pair(24, 1024, 16, 8192, _NLLB_WORDS), _NLLB, "nllb-200-distilled-1.3b", "nllb-1.3b",
         "nllb-distilled-1.3b"),
    _row("nllb-200-3.3b", _pair(24, 2048, 16, 8192, _NLLB_WORDS), _NLLB, "nllb-3.3b"),
    _row("m2m100-418m", _pair(12, 1024, 16, 4096, _M2M_WORDS), _M2M, "m2m100", "m2m-100", "m2m100_418m"),
    _row("m2m100-1.2b", _pair(24, 1024, 16, 8192, _M2M_WORDS), _M2M, "m2m100_1.2b"),
    _row("marian-base", _pair(6, 512, 8, 2048, 58_101, 512), "config.json of Helsinki-NLP/opus-mt-en-de", "marian",
         "marianmt", "opus-mt", "opus-mt-base"),
    _row("marian-big", _pair(6, 1024, 16, 4096, 57_829),
         "by family and dimensions: transformer-big of Helsinki-NLP/opus-mt-tc-big", "opus-mt-tc-big", "opus-mt-big"),
    _row("mbart-large-50", _pair(12, 1024, 16, 4096, _MBART_WORDS), "arXiv 2008.00401; by dimensions", "mbart",
         "mbart-50", "mbart-large-50-many-to-many-mmt", "mbart-large-cc25", "mbart-large-50-one-to-many-mmt"),
    _row("madlad400-3b", _gated(32, 1024, 16, 8192, _MADLAD_WORDS, 128),
         "arXiv 2309.04662; by dimensions, which make the size in its name", "madlad400-3b-mt", "madlad-400-3b",
         "madlad400", "madlad"),
    _row("madlad400-7b", _gated(48, 2048, 16, 8192, _MADLAD_WORDS, 128),
         "arXiv 2309.04662; by dimensions of the 3 B model, widened to 8.3 B", "madlad400-7b-mt", "madlad400-7b-mt-bt",
         "madlad-400-7b"),
    _row("madlad400-10b", _gated(32, 4096, 16, 8192, _MADLAD_WORDS, 128, tied=True),
         "arXiv 2309.04662; by dimensions of the 3 B model, widened to 10.7 B", "madlad400-10b-mt", "madlad-400-10b"),
    _row("seamless-m4t-v2-large", _pair(24, 1024, 16, 8192, _NLLB_WORDS),
         "arXiv 2312.05187: its part for texts, which has the plan of NLLB of 1.3 B", "seamlessm4t",
         "seamless-m4t-large", "seamless-m4t", "seamlessm4t-v2", "seamlessm4t-v2-large", "hf-seamless-m4t-large"),
    _row("seamless-m4t-medium", _pair(12, 1024, 16, 4096, _NLLB_WORDS),
         "arXiv 2308.11596: its part for texts, which has the plan of NLLB of 600 M", "hf-seamless-m4t-medium",
         "seamlessm4t-medium"),
    _row("mt5-small", _gated(8, 512, 6, 1024, _MT5_WORDS), "arXiv 2010.11934; config.json of google/mt5-small",
         length=512),
    _row("mt5-base", _gated(12, 768, 12, 2048, _MT5_WORDS), "arXiv 2010.11934; config.json of google/mt5-base", "mt5",
         length=512),
    _row("mt5-large", _gated(24, 1024, 16, 2816, _MT5_WORDS), "arXiv 2010.11934; config.json of google/mt5-large",
         length=512),
    _row("mt5-xl", _gated(24, 2048, 32, 5120, _MT5_WORDS), "arXiv 2010.11934; config.json of google/mt5-xl",
             length=512),
    _row("mt5-xxl", _gated(24, 4096, 64, 10240, _MT5_WORDS), "arXiv 2010.11934; config.json of google/mt5-xxl",
         length=512),
    _row("pegasus-large", _pair(16, 1024, 16, 4096, 96_103), "arXiv 1912.08777; by dimensions", "pegasus",
         "pegasus-xsum", "pegasus-cnn_dailymail", length=512),
)  # fmt: skip
