"""Encoder-decoders over text: the first Transformers, T5, BART, GNMT; and Transformer-XL."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, encoder_decoder_model
from plimsoll_service.engine.models.profile import ModelProfile, Reference, Transformer

_SENTENCE = 32  # tokens a side of a WMT'14 training pair, about the mean
_T5_LENGTH = 512  # tokens of T5's and BART's pre-training samples


def _pair(
    layers: int,
    hidden: int,
    heads: int,
    head_size: int,
    inner: int,
    words: int,
    *,
    gated: bool = False,
    tied: bool = True,
    positions: int = 0,
) -> Transformer:
    """``layers`` of the encoder and as many of the decoder."""
    return dimensions(
        (2 * layers, hidden, heads, heads, head_size, inner),
        words,
        512,
        gated=gated,
        tied=tied,
        causal=False,
        cross_attention_layers=layers,
        positions=positions,
    )


_T5 = "arXiv 1910.10683, section 3.7; config.json of google-t5"
_T5_GATED = "config.json of google/t5-v1_1 and google/flan-t5"

TEXT_TO_TEXT = (
    encoder_decoder_model(
        "transformer-base",
        60_518_400,
        _pair(6, 512, 8, 64, 2048, 32000),
        "arXiv 1706.03762, table 3",
        _SENTENCE,
        (),
        "wmt14-en-de",
    ),
    encoder_decoder_model(
        "transformer-big",
        209_911_808,
        _pair(6, 1024, 16, 64, 4096, 33708),
        "arXiv 1706.03762, table 3",
        _SENTENCE,
        ("transformer-large",),
        "wmt14-en-de",
    ),
    encoder_decoder_model("t5-small", 60_506_624, _pair(6, 512, 8, 64, 2048, 32128), _T5, _T5_LENGTH, (), "c4"),
    encoder_decoder_model("t5-base", 222_903_552, _pair(12, 768, 12, 64, 3072, 32128), _T5, _T5_LENGTH, (), "c4"),
    encoder_decoder_model("t5-large", 737_668_096, _pair(24, 1024, 16, 64, 4096, 32128), _T5, _T5_LENGTH, (), "c4"),
    encoder_decoder_model("t5-3b", 2_851_598_336, _pair(24, 1024, 32, 128, 16384, 32128), _T5, _T5_LENGTH, (), "c4"),
    encoder_decoder_model("t5-11b", 11_307_321_344, _pair(24, 1024, 128, 128, 65536, 32128), _T5, _T5_LENGTH, (), "c4"),
    encoder_decoder_model(
        "flan-t5-small",
        76_961_152,
        _pair(8, 512, 6, 64, 1024, 32128, gated=True, tied=False),
        _T5_GATED,
        _T5_LENGTH,
        ("t5-v1.1-small",),
        "c4",
    ),
    encoder_decoder_model(
        "flan-t5-base",
        247_577_856,
        _pair(12, 768, 12, 64, 2048, 32128, gated=True, tied=False),
        _T5_GATED,
        _T5_LENGTH,
        ("t5-v1.1-base",),
        "c4",
    ),
    encoder_decoder_model(
        "flan-t5-large",
        783_150_080,
        _pair(24, 1024, 16, 64, 2816, 32128, gated=True, tied=False),
        _T5_GATED,
        _T5_LENGTH,
        ("t5-v1.1-large",),
        "c4",
    ),
    encoder_decoder_model(
        "flan-t5-xl",
        2_849_757_184,
        _pair(24, 2048, 32, 64, 5120, 32128, gated=True, tied=False),
        _T5_GATED,
        _T5_LENGTH,
        ("t5-v1.1-xl", "flan-t5-3b"),
        "c4",
    ),
    encoder_decoder_model(
        "flan-t5-xxl",
        11_135_332_352,
        _pair(24, 4096, 64, 64, 10240, 32128, gated=True, tied=False),
        _T5_GATED,
        _T5_LENGTH,
        ("t5-v1.1-xxl", "flan-t5-11b"),
        "c4",
    ),
    encoder_decoder_model(
        "bart-base",
        139_420_416,
        _pair(6, 768, 12, 64, 3072, 50265, positions=2052),
        "arXiv 1910.13461; config.json of facebook/bart-base",
        _T5_LENGTH,
        (),
        "cnn-dailymail",
    ),
    encoder_decoder_model(
        "bart-large",
        406_291_456,
        _pair(12, 1024, 16, 64, 4096, 50265, positions=2052),
        "arXiv 1910.13461; config.json of facebook/bart-large",
        _T5_LENGTH,
        ("bart",),
        "cnn-dailymail",
    ),
    ModelProfile(
        name="transformer-xl-base",
        family="decoder",
        sample="one segment of 192 target tokens beside 192 of memory",
        parameters=191_948_759.0,
        forward_flops=32.6e9,
        written_elements=98.0e6,
        stored_elements=268.5e6,
        kernels=600.0,
        source="arXiv 1901.02860; throughput study section 8, memory study section 2",
        aliases=("transformer-xl", "txl", "transfo-xl"),
        kin="txl",
        reference=Reference(sequence_length=192),
        scaling="sequence",
        traffic="transformer",
        memory="segment_transformer",
        default_dataset="wikitext-103",
    ),
    # 18 layers of 1,024 with 16 heads, counted as the base model is.
    ModelProfile(
        name="transformer-xl-large",
        family="decoder",
        sample="one segment of 384 target tokens beside 384 of memory",
        parameters=285.0e6,
        forward_flops=260.0e9,
        written_elements=667.0e6,
        stored_elements=821.8e6,
        kernels=675.0,
        source="arXiv 1901.02860; counted by throughput study section 8 and memory study section 2",
        aliases=("txl-large", "transfo-xl-wt103"),
        kin="txl",
        reference=Reference(sequence_length=384),
        scaling="sequence",
        traffic="transformer",
        memory="segment_transformer",
        default_dataset="wikitext-103",
    ),
    ModelProfile(
        name="gnmt",
        family="encoder_decoder",
        sample="one pair of 25 source and 25 target tokens",
        parameters=160.0e6,
        forward_flops=6.6e9,
        written_elements=1.6e6,
        stored_elements=9.3e6,
        kernels=700.0,
        source="arXiv 1609.08144; throughput study section 8, memory study section 2",
        aliases=("gnmt-v2",),
        kin="seq2seq",
        reference=Reference(sequence_length=25),
        scaling="sequence",
        traffic="rnn",
        memory="rnn",
        fp32_elements=3.2e6,
        sequential=True,
        default_dataset="wmt14-en-de",
    ),
)
