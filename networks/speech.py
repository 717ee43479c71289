"""Recognition of speech and of speakers."""

from __future__ import annotations

from dataclasses import replace

from networks.synthesis import LATER_SYNTHESIS
from networks.walk import FLOP_PER_MAC, Count, Walk, dimensions
from plimsoll_service.engine.models.profile import Generation, ModelProfile, Reference
from plimsoll_service.engine.models.speech import MEL_BINS, SEGMENT_FRAMES, SEGMENT_TOKENS, whisper_profile
from plimsoll_service.engine.models.transformers import (
    DECODER_KERNELS_PER_LAYER,
    KERNELS_PER_LAYER,
    parameters_of,
    stored_elements,
    written_elements,
)

_UTTERANCE_SECONDS = 12.3  # LibriSpeech's mean utterance
_WAV2VEC_FRAMES = 50  # a second, after the convolutions
# Kernel and stride of the feature encoder's convolutions of 512 channels (arXiv 2006.11477, section 4.2).
_WAV2VEC_CONVS = ((10, 5), (3, 2), (3, 2), (3, 2), (3, 2), (2, 2), (2, 2))
_WAV2VEC_CHANNELS = 512
_SAMPLE_RATE = 16_000
_POSITION_TAPS, _POSITION_GROUPS = 128, 16


def _whisper(
    name: str, million: float, layers: tuple[int, int], hidden: int, words: int = 51_865, aliases: tuple[str, ...] = ()
) -> ModelProfile:
    encoder, decoder = layers
    heads = hidden // 64
    transformer = dimensions(
        (encoder + decoder, hidden, heads, heads, 64, 4 * hidden), words, 448, gated=False, tied=True, causal=False,
        cross_attention_layers=decoder, positions=448 + SEGMENT_FRAMES,
    )  # fmt: skip
    source = "arXiv 2212.04356, table 1; config.json of openai/whisper"
    return replace(whisper_profile(name, million * 1e6, transformer, source), aliases=aliases)


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
        default_dataset="librispeech", audio_seconds=_UTTERANCE_SECONDS, width=float(hidden),
    )  # fmt: skip


_CONFORMER_FRAMES = 12.5  # a second, after its eightfold subsampling
# Conformer's own (NVIDIA/NeMo@02aa226, examples/asr/conf/conformer/conformer_ctc_bpe.yaml, 2023): two strided
# convolutions as wide as the blocks leave a quarter of the frames and of the 80 mel bands.
_STRIDED_FRAMES, _STRIDED_BANDS, _STRIDED_TAPS = 25.0, (40, 20), 9
# Work over that of the parameters at each frame (padding to the longest utterance, subsampling at the full rate,
# features and batches that NeMo prepares on the host), by the Open ASR Leaderboard's runs on A100 with batches of 128
# (arXiv 2510.06961): Parakeet CTC 1.1B 2,728 and TDT 0.6B 3,386 times real time, where the formula has 3,265 and 5,712
# for the work of the parameters alone, and 2,289 and 4,031 with this: 0.84 and 1.19, whose middle is 1. Where a
# transformer writes the text: canary-1b-flash "more than 1,000" (its model card), formula 3,770, and 1,001 with this.
_TRANSDUCED, _WRITTEN = 1.44, 4.3


def _conformer(
    name: str, million: float, layers: int, hidden: int, source: str, aliases: tuple[str, ...] = (), decoder: int = 0,
    heads: int | None = None, rate: float = _CONFORMER_FRAMES,
) -> ModelProfile:  # fmt: skip
    """FastConformer over an utterance; ``decoder`` layers of a transformer write the text, else a light transducer."""
    frames, tokens = _UTTERANCE_SECONDS * rate, _UTTERANCE_SECONDS * SEGMENT_TOKENS / 30
    heads = heads or hidden // 128
    sizes = (layers, hidden, heads, heads, hidden // heads, 4 * hidden)
    block = dimensions(sizes, 0, 1_024, gated=False, tied=True, causal=False)
    text = decoder * 16.0 * hidden**2 + 1_024 * hidden
    parameters, work = million * 1e6, _WRITTEN if decoder else _TRANSDUCED
    generated = Generation(
        kernels=KERNELS_PER_LAYER * layers + tokens * DECODER_KERNELS_PER_LAYER * max(decoder, 1), tokens=tokens,
        layers=max(decoder, 1), parameters=text, encoder_layers=layers,
        cache_elements=2.0 * decoder * hidden * (frames + tokens),
    )  # fmt: skip
    return ModelProfile(
        name=name, family="speech", sample="one utterance of 12.3 s", parameters=parameters,
        audio_seconds=_UTTERANCE_SECONDS,
        forward_flops=(2.0 * (parameters - text) * frames + 2.0 * text * tokens) * work,
        written_elements=2 * work * written_elements(block, frames, True),
        stored_elements=2 * stored_elements(block, frames, True),
        kernels=float(2 * KERNELS_PER_LAYER * layers), source=source, aliases=aliases, architecture="seq2seq",
        traffic="transformer", memory="encoder", generation=generated, default_dataset="librispeech",
    )  # fmt: skip


def _strided_conformer(size: str, million: float, layers: int, hidden: int, heads: int) -> ModelProfile:
    """Conformer with CTC over an utterance (arXiv 2005.08100)."""
    name, aliases = f"conformer-{size}", (f"conformer-ctc-{size}", f"stt-en-conformer-ctc-{size}")
    source = "NVIDIA/NeMo@02aa226, conformer_ctc_bpe.yaml; arXiv 2005.08100"
    blocks = _conformer(name, million, layers, hidden, source, aliases, heads=heads, rate=_STRIDED_FRAMES)
    first, second = _STRIDED_BANDS
    written = _UTTERANCE_SECONDS * _STRIDED_FRAMES * hidden * (2 * first + second)
    macs = _UTTERANCE_SECONDS * _STRIDED_FRAMES * hidden * _STRIDED_TAPS * (2 * first + second * hidden)
    return replace(
        blocks,
        forward_flops=blocks.forward_flops + 2 * macs,
        written_elements=blocks.written_elements + written,
        stored_elements=blocks.stored_elements + 2 * written,
    )


# Moonshine (arXiv 2410.15608; config.json of UsefulSensors/moonshine): three convolutions over waves, of 64, 3 and 2
# strides, an encoder, and a decoder with gated feed-forward blocks, over as many seconds as there are.
_WAVE_TAPS, _MOONSHINE_STRIDE, _MOONSHINE_WORDS = ((127, 64), (7, 3), (3, 2)), 384, 32_768


def _moonshine(size: str, million: float, layers: int, hidden: int, *aliases: str) -> ModelProfile:
    frames = _UTTERANCE_SECONDS * _SAMPLE_RATE / _MOONSHINE_STRIDE
    tokens = _UTTERANCE_SECONDS * SEGMENT_TOKENS / 30
    rate, channels, convs = _UTTERANCE_SECONDS * _SAMPLE_RATE, 1, 0.0
    for (taps, stride), width in zip(_WAVE_TAPS, (hidden, 2 * hidden, hidden), strict=True):
        rate /= stride
        convs += rate * taps * channels * width
        channels = width
    block = dimensions((layers, hidden, 8, 8, hidden // 8, 4 * hidden), 0, 4_096, gated=False, tied=True, causal=False)
    text = layers * 20.0 * hidden**2 + _MOONSHINE_WORDS * hidden
    encoder = frames * layers * (12.0 * hidden**2 + 2 * frames * hidden)
    return ModelProfile(
        name=f"moonshine-{size}", family="speech", sample="one utterance of 12.3 s", parameters=million * 1e6,
        audio_seconds=_UTTERANCE_SECONDS, forward_flops=FLOP_PER_MAC * (convs + encoder + tokens * text),
        written_elements=written_elements(block, frames, True), kernels=float(KERNELS_PER_LAYER * layers),
        stored_elements=2 * stored_elements(block, frames, True), architecture="seq2seq", traffic="transformer",
        memory="encoder", default_dataset="librispeech", aliases=aliases,
        source="arXiv 2410.15608; config.json of UsefulSensors/moonshine",
        generation=Generation(
            kernels=KERNELS_PER_LAYER * layers + tokens * DECODER_KERNELS_PER_LAYER * layers, tokens=tokens,
            layers=layers, parameters=text, encoder_layers=layers,
            cache_elements=2.0 * layers * hidden * (frames + tokens),
        ),
    )  # fmt: skip


# Speaker diarization of pyannote.audio 3.1: windows of 10 s, one a second; of each, three speakers are embedded, over
# the whole window each (pyannote/pyannote-audio, pipelines/speaker_diarization.py). The embedder is WeSpeaker's
# ResNet-34 of 32 channels over 80 mel bands, 100 frames a second (arXiv 2210.17016).
_WINDOW_SECONDS, _SPEAKERS, _FRAMES_OF_SPEECH = 10, 3, 100
# Work over that of the embeddings (segmentation, clustering, reading): the middle of seven benchmarks of 9 to 33 hours
# on V100 is 43 times real time (pyannote-audio issues 1453 and 1481, 2023-09), where the embeddings alone make 82.
_DIARIZED = 82 / 43


def _speaker() -> Count:
    """One embedding of a window."""
    walk = Walk(1, MEL_BINS, _WINDOW_SECONDS * _FRAMES_OF_SPEECH).conv(32, 3)
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            width, stride = 32 * 2**stage, 2 if stage and not block else 1
            if stage and not block:
                walk.fork().conv(width, 1, 2, act=False)
            walk = walk.fork().conv(width, 3, stride).conv(width, 3).elementwise()
    means = Walk(2 * walk.channels * walk.height, 1, 1, walk.count)
    return means.linear(256).count


def _diarizer() -> ModelProfile:
    """The embeddings of a window, which take nearly all of the time."""
    one, times = _speaker(), _WINDOW_SECONDS * _SPEAKERS * _DIARIZED
    return ModelProfile(
        name="pyannote-diarization", family="speech", sample=f"{_WINDOW_SECONDS} s of audio, in windows of a second",
        parameters=one.parameters, audio_seconds=float(_WINDOW_SECONDS), forward_flops=2.0 * one.macs * times,
        written_elements=one.outputs * times, stored_elements=2.0 * one.outputs * times, kernels=one.kernels,
        source="pyannote/pyannote-audio 3.1; arXiv 2210.17016, walked layer by layer", architecture="resnet",
        aliases=("pyannote", "speaker-diarization", "speaker-diarization-3.1", "speaker-diarization-3.0",
                 "pyannote-audio", "speaker-diarization-community-1"),
        memory="convolution", default_dataset="librispeech", own_precision="fp32",
    )  # fmt: skip


_NEMO = "NVIDIA/NeMo: FastConformer configurations and model cards"
SPEECH = (
    _whisper("whisper-tiny", 37.76, (4, 4), 384, aliases=("whisper-tiny.en", "tiny.en")),
    _whisper("whisper-base", 72.59, (6, 6), 512, aliases=("whisper-base.en",)),
    _whisper("whisper-small", 241.7, (12, 12), 768, aliases=("whisper-small.en",)),
    _whisper("whisper-medium", 763.9, (24, 24), 1024, aliases=("whisper-medium.en",)),
    _whisper("whisper-large", 1543.3, (32, 32), 1280, aliases=("whisper-large-v1", "whisper-large-v2", "large-v2")),
    _whisper("whisper-large-v3", 1543.5, (32, 32), 1280, 51_866, ("large-v3", "whisperx", "whisper-v3")),
    _whisper("whisper-large-v3-turbo", 808.9, (32, 4), 1280, 51_866, ("whisper-turbo", "large-v3-turbo")),
    _whisper("distil-whisper-large-v3", 756.4, (32, 2), 1280, 51_866, ("distil-large-v3", "distil-whisper",
             "distil-large-v3.5", "distil-whisper-large")),
    _wav2vec("wav2vec2-base", 95.0, 12, 768, 12,
             ("wav2vec2", "wav2vec-2.0", "hubert-base", "wav2vec2-base-960h", "hubert-base-ls960", "hubert",
              "data2vec-audio-base")),
    _wav2vec("wav2vec2-large", 317.0, 24, 1024, 16,
             ("hubert-large", "wav2vec2-large-960h", "hubert-large-ll60k", "hubert-large-ls960-ft", "xls-r-300m",
              "wav2vec2-xls-r-300m", "wav2vec2-large-xlsr-53", "mms-300m")),
)  # fmt: skip

# Later recognisers, synthesis and music.
LATER_SPEECH = (
    _whisper("distil-whisper-medium.en", 394.4, (24, 2), 1024, aliases=("distil-medium.en", "distil-medium")),
    _whisper("distil-whisper-small.en", 166.1, (12, 4), 768, aliases=("distil-small.en", "distil-small")),
    _whisper("distil-whisper-large-v2", 756.0, (32, 2), 1280, aliases=("distil-large-v2",)),
    _wav2vec("wav2vec2-xlarge", 964.0, 48, 1280, 16,
             ("hubert-xlarge", "xls-r-1b", "wav2vec2-xls-r-1b", "mms-1b", "mms-1b-all", "mms-1b-fl102")),
    _wav2vec("wavlm-base", 94.7, 12, 768, 12, ("wavlm", "wavlm-base-plus")),
    _wav2vec("wavlm-large", 316.6, 24, 1024, 16, ()),
    *LATER_SYNTHESIS,
    _diarizer(),
    _conformer("parakeet-0.6b", 616.0, 24, 1024, _NEMO,
               ("parakeet-tdt-0.6b", "parakeet-tdt-0.6b-v2", "parakeet-tdt-0.6b-v3", "parakeet-rnnt-0.6b",
                "parakeet-ctc-0.6b", "parakeet", "fastconformer-xlarge")),
    _conformer("parakeet-1.1b", 1_100.0, 42, 1024, _NEMO,
               ("parakeet-tdt-1.1b", "parakeet-rnnt-1.1b", "parakeet-ctc-1.1b", "parakeet-tdt_ctc-1.1b",
                "fastconformer-xxlarge")),
    _conformer("parakeet-110m", 114.0, 17, 512, _NEMO, ("parakeet-tdt_ctc-110m", "fastconformer-large",
                                                        "stt-en-fastconformer-transducer-large")),
    replace(_conformer("sensevoice-small", 234.0, 70, 512, "FunAudioLLM/SenseVoice: 50 and 20 layers of 512 over "
                       "frames of 60 ms, all words at once", ("sensevoice",), heads=4, rate=1 / 0.06), generation=None),
    _moonshine("tiny", 27.1, 6, 288),
    _moonshine("base", 61.5, 8, 416, "moonshine"),
    _strided_conformer("small", 13.0, 16, 176, 4),
    _strided_conformer("medium", 30.0, 18, 256, 4),
    _strided_conformer("large", 121.0, 18, 512, 8),
    _conformer("canary-1b", 1_000.0, 24, 1024, _NEMO, ("canary", "canary-1b-v2"), decoder=24),
    _conformer("canary-1b-flash", 883.0, 32, 1024, _NEMO, (), decoder=4),
    _conformer("canary-180m-flash", 182.0, 17, 512, _NEMO, ("canary-180m",), decoder=4),
)  # fmt: skip
