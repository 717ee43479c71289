"""Speech: synthesis, vocoders and recognition."""

from __future__ import annotations

from dataclasses import replace

from plimsoll_service.engine.models.profile import ModelProfile, Reference, Transformer
from plimsoll_service.engine.models.transformers import (
    KERNELS_AROUND,
    KERNELS_PER_LAYER,
    dimensions,
    generation,
    parameters_of,
    stored_elements,
    written_elements,
)

_STUDY = "throughput study section 8 and memory study section 2"


SEGMENT_FRAMES = 1500  # of the encoder, for 30 s of audio (arXiv 2212.04356, section 2.2)
SEGMENT_SECONDS = 30.0
SEGMENT_TOKENS = 100  # of a 30 s transcript: 150 words a minute, four words to three tokens
MEL_BINS = 80
_UTTERANCE_SECONDS = 12.3  # LibriSpeech's mean utterance
_WAV2VEC_FRAMES = 50  # a second, after the convolutions
# Kernel and stride of the feature encoder's convolutions of 512 channels (arXiv 2006.11477, section 4.2).
_WAV2VEC_CONVS = ((10, 5), (3, 2), (3, 2), (3, 2), (3, 2), (2, 2), (2, 2))
_WAV2VEC_CHANNELS = 512
_SAMPLE_RATE = 16_000
_SYNTHESIS_RATE, _HOP = 22_050, 256  # audio samples a second, and a mel frame: LJSpeech and these models' scripts
_POSITION_TAPS, _POSITION_GROUPS = 128, 16


def whisper_profile(
    name: str, parameters: float, transformer: Transformer, source: str, aliases: tuple[str, ...] = ()
) -> ModelProfile:
    """An encoder over 30 s of audio beside a decoder of its transcript; a decoder layer launches at every token."""
    decoder = transformer.cross_attention_layers
    encoder = transformer.layers - decoder
    hidden, frames, tokens = transformer.hidden_size, SEGMENT_FRAMES, SEGMENT_TOKENS
    block = parameters_of(replace(transformer, layers=1, cross_attention_layers=0, vocabulary=0, positions=0))
    stem = 3 * MEL_BINS * hidden * 2 * frames + 3 * hidden * hidden * frames
    encoded = frames * encoder * (block + 2 * frames * hidden)
    cross = decoder * (2 * frames * hidden**2 + tokens * 2 * hidden**2 + 2 * tokens * frames * hidden)
    decoded = tokens * (decoder * (block + tokens * hidden) + transformer.vocabulary * hidden) + cross
    alone = replace(transformer, cross_attention_layers=0)
    audio, text = replace(alone, layers=encoder), replace(alone, layers=decoder)
    logits = float(tokens * transformer.vocabulary)
    return ModelProfile(
        name=name, family="speech", sample="one segment of 30 s with its transcript of 100 tokens",
        parameters=float(parameters), forward_flops=2.0 * (stem + encoded + decoded),
        written_elements=written_elements(audio, frames, True) + written_elements(text, tokens, True) + logits,
        stored_elements=stored_elements(audio, frames, True) + stored_elements(text, tokens, True) + logits,
        kernels=float(KERNELS_PER_LAYER * transformer.layers + KERNELS_AROUND), source=source,
        aliases=aliases, architecture="seq2seq", traffic="transformer", memory="encoder", fp32_elements=3 * logits,
        generation=generation(transformer, tokens), default_dataset="librispeech", audio_seconds=SEGMENT_SECONDS,
    )  # fmt: skip


def _whisper(
    name: str, million: float, layers: tuple[int, int], hidden: int, words: int = 51_865, aliases: tuple[str, ...] = ()
) -> ModelProfile:
    encoder, decoder = layers
    heads = hidden // 64
    transformer = dimensions(
        (encoder + decoder, hidden, heads, heads, 64, 4 * hidden), words, 448, gated=False, tied=True, causal=False,
        cross_attention_layers=decoder, positions=448 + SEGMENT_FRAMES,
    )  # fmt: skip
    return whisper_profile(name, million * 1e6, transformer, "arXiv 2212.04356, table 1; config.json of openai/whisper",
                           aliases)  # fmt: skip


def _wav2vec(name: str, million: float, layers: int, hidden: int, heads: int, aliases: tuple[str, ...]) -> ModelProfile:
    transformer = dimensions(
        (layers, hidden, heads, heads, hidden // heads, 4 * hidden), 32, 3000, gated=False, tied=True, causal=False
    )
    frames = round(_UTTERANCE_SECONDS * _WAV2VEC_FRAMES)
    rate, channels, convs, outputs = _SAMPLE_RATE * _UTTERANCE_SECONDS, 1, 0.0, 0.0
    for taps, stride in _WAV2VEC_CONVS:
        rate /= stride
        convs += rate * taps * channels * _WAV2VEC_CHANNELS
        outputs += rate * _WAV2VEC_CHANNELS
        channels = _WAV2VEC_CHANNELS
    positions = frames * _POSITION_TAPS * hidden * hidden // _POSITION_GROUPS
    layer = parameters_of(replace(transformer, layers=1, vocabulary=0))
    return ModelProfile(
        name=name, family="speech", sample="one utterance of 12.3 s", parameters=million * 1e6,
        forward_flops=2.0 * (convs + positions + frames * layers * (layer + 2 * frames * hidden)),
        written_elements=written_elements(transformer, frames, True) + outputs,
        stored_elements=stored_elements(transformer, frames, True) + 2 * outputs,
        kernels=float(KERNELS_PER_LAYER * layers + 4 * len(_WAV2VEC_CONVS)),
        source="arXiv 2006.11477, section 4.2", aliases=aliases, architecture="bert",
        reference=Reference(sequence_length=frames), scaling="sequence", traffic="transformer", memory="encoder",
        default_dataset="librispeech", audio_seconds=_UTTERANCE_SECONDS,
    )  # fmt: skip


SPEECH = (
    ModelProfile(
        name="tacotron2", family="speech", sample="one clip of 566 mel frames", parameters=28.2e6, forward_flops=27.0e9,
        written_elements=16.0e6, stored_elements=0.0, fp32_elements=71.0e6, kernels=36_000.0,
        source="arXiv 1712.05884; " + _STUDY, aliases=("tacotron",), architecture="tacotron",
        reference=Reference(sequence_length=566), scaling="sequence", traffic="rnn", memory="rnn", sequential=True,
        default_dataset="ljspeech",
        audio_seconds=566 * _HOP / _SYNTHESIS_RATE,
    ),
    ModelProfile(
        name="waveglow", family="speech", sample="one segment of 8,000 audio samples", parameters=268.0e6,
        forward_flops=529.0e9, written_elements=384.0e6, stored_elements=295.0e6, kernels=1250.0,
        source="arXiv 1811.00002; " + _STUDY, architecture="waveglow", reference=Reference(sequence_length=8000),
        scaling="sequence", traffic="rnn", memory="convolution_1d", default_dataset="ljspeech",
        audio_seconds=8000 / _SYNTHESIS_RATE,
    ),
    ModelProfile(
        name="fastpitch", family="speech", sample="one clip of 566 mel frames", parameters=45.0e6, forward_flops=36.0e9,
        written_elements=32.0e6, stored_elements=64.0e6, kernels=420.0, source="arXiv 2006.06873; " + _STUDY,
        architecture="fastpitch", reference=Reference(sequence_length=566), scaling="sequence", traffic="speech_1d",
        memory="convolution_1d", default_dataset="ljspeech",
        audio_seconds=566 * _HOP / _SYNTHESIS_RATE,
    ),
    ModelProfile(
        name="hifi-gan", family="speech", sample="one segment of 8,192 audio samples (32 mel frames)",
        parameters=13.92e6, forward_flops=19.6e9, written_elements=16.2e6, stored_elements=32.4e6, kernels=230.0,
        source="arXiv 2010.05646, V1 generator, layer by layer", aliases=("hifigan",), architecture="waveglow",
        reference=Reference(sequence_length=8192), scaling="sequence", traffic="speech_1d", memory="convolution_1d",
        default_dataset="ljspeech",
        audio_seconds=8192 / _SYNTHESIS_RATE,
    ),
    ModelProfile(
        name="quartznet", family="speech", sample="one utterance of 12.3 s (1,230 frames)", parameters=18.9e6,
        forward_flops=23.3e9, written_elements=75.0e6, stored_elements=150.0e6, kernels=420.0,
        source="arXiv 1910.10261; " + _STUDY, aliases=("quartznet-15x5",), architecture="quartznet",
        reference=Reference(sequence_length=1230), scaling="sequence", traffic="speech_1d", memory="convolution_1d",
        default_dataset="librispeech",
        audio_seconds=_UTTERANCE_SECONDS,
    ),
    ModelProfile(
        name="jasper", family="speech", sample="one utterance of 12.3 s (1,230 frames)", parameters=333.0e6,
        forward_flops=410.0e9, written_elements=26.0e6, stored_elements=52.0e6, kernels=330.0,
        source="arXiv 1904.03288; " + _STUDY, aliases=("jasper-10x5",), architecture="quartznet",
        reference=Reference(sequence_length=1230), scaling="sequence", traffic="speech_1d", memory="convolution_1d",
        default_dataset="librispeech",
        audio_seconds=_UTTERANCE_SECONDS,
    ),
    ModelProfile(
        name="rnn-t", family="speech", sample="one utterance of 12.3 s (1,230 frames)", parameters=49.0e6,
        forward_flops=23.4e9, written_elements=9.0e6, stored_elements=13.0e6, kernels=4500.0,
        source="MLPerf RNN-T: 2 + 3 LSTM layers of 1,024, prediction net of 320", aliases=("rnnt",),
        architecture="lstm", reference=Reference(sequence_length=1230), scaling="sequence", traffic="rnn", memory="rnn",
        sequential=True, default_dataset="librispeech",
        audio_seconds=_UTTERANCE_SECONDS,
    ),
    _whisper("whisper-tiny", 37.76, (4, 4), 384, aliases=("whisper-tiny.en",)),
    _whisper("whisper-base", 72.59, (6, 6), 512, aliases=("whisper-base.en",)),
    _whisper("whisper-small", 241.7, (12, 12), 768, aliases=("whisper-small.en",)),
    _whisper("whisper-medium", 763.9, (24, 24), 1024, aliases=("whisper-medium.en",)),
    _whisper("whisper-large", 1543.3, (32, 32), 1280, aliases=("whisper-large-v1", "whisper-large-v2")),
    _whisper("whisper-large-v3", 1543.5, (32, 32), 1280, 51_866),
    _whisper("whisper-large-v3-turbo", 808.9, (32, 4), 1280, 51_866, ("whisper-turbo",)),
    _whisper("distil-whisper-large-v3", 756.4, (32, 2), 1280, 51_866, ("distil-large-v3", "distil-whisper")),
    _wav2vec("wav2vec2-base", 95.0, 12, 768, 12, ("wav2vec2", "wav2vec-2.0", "hubert-base")),
    _wav2vec("wav2vec2-large", 317.0, 24, 1024, 16, ("hubert-large", "wav2vec2-large-960h")),
)  # fmt: skip
