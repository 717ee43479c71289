"""Synthesis of speech and music: codes that a decoder writes, voices in one pass, vocoders."""

from __future__ import annotations

from dataclasses import replace

from networks.walk import FLOP_PER_MAC, dimensions
from plimsoll_service.engine.models.profile import Generation, ModelProfile, Reference
from plimsoll_service.engine.models.transformers import (
    KERNELS_AROUND,
    KERNELS_PER_LAYER,
    parameters_of,
    stored_elements,
    written_elements,
)

_STUDY = "throughput study section 8 and memory study section 2"
_SYNTHESIS_RATE, _HOP = 22_050, 256  # audio samples a second, and a mel frame: LJSpeech and these models' scripts
_SPOKEN_SECONDS = 10.0  # of a sample of generated speech or music
_SEGMENT = 8_192  # audio samples of a segment on which HiFi-GAN is trained (arXiv 2010.05646), and VITS's vocoder
_TEXT_ELEMENTS = 32.0e6  # written before the vocoder, as of FastPitch


def _vocoder(seconds: float) -> tuple[float, float, float]:
    """FLOPs, parameters and written elements of HiFi-GAN's larger generator over so many seconds of 22 kHz."""
    segments = seconds * _SYNTHESIS_RATE / _SEGMENT
    return 19.6e9 * segments, 13.92e6, 16.2e6 * segments


# suno-ai/bark @15606ed1, bark/model.py, one token after others: two norms, four products, two caches that grow, fused
# attention, GELU and two sums. It made 14 s in some 30 s on an RTX 4090 (its issue 378, 2023-07-29), and is as fast as
# its sound on enterprise GPUs (README, 2023).
_BARK_KERNELS = 12


def _spoken(
    name: str, layers: int, hidden: int, per_second: float, source: str, aliases: tuple[str, ...] = (),
    million: float | None = None, precision: str | None = None, gated: int | None = None,
    beside: tuple[int, float] = (0, 0.0), after: tuple[float, float] = (0.0, 0.0), kernels: int = KERNELS_PER_LAYER,
    grouped: tuple[int, int] | None = None,
) -> ModelProfile:  # fmt: skip
    """Sound as tokens that a decoder writes one by one, and a vocoder turns to waves.

    ``gated``: width of a gated feed-forward block; ``grouped``: heads of keys and values, and their size, where queries
    share them; ``beside``: layers that run for a token beside the decoder's, and
    the parameters that they read; ``after``: FLOPs and kernels between the tokens and the vocoder; ``kernels``: of a
    layer.
    """
    kv_heads, size = grouped or (hidden // 64, 64)
    tokens, sizes = _SPOKEN_SECONDS * per_second, (layers, hidden, hidden // size, kv_heads, size, gated or 4 * hidden)
    block = dimensions(sizes, 8_192, 4_096, gated=gated is not None)
    parameters = parameters_of(block) + beside[1]
    flops, vocoder, waves = _vocoder(_SPOKEN_SECONDS)
    flops += after[0]
    held = max(million * 1e6, parameters_of(block)) if million else parameters + vocoder
    return ModelProfile(
        name=name, family="speech", sample=f"{_SPOKEN_SECONDS:g} s of sound", parameters=held,
        audio_seconds=_SPOKEN_SECONDS,
        forward_flops=2.0 * tokens * parameters + flops,
        written_elements=written_elements(block, tokens, False) + waves,
        stored_elements=stored_elements(block, tokens, False) + 2 * waves,
        kernels=float(KERNELS_PER_LAYER * layers + KERNELS_AROUND), source=source, aliases=aliases,
        architecture="seq2seq", traffic="transformer", memory="encoder", default_dataset="ljspeech",
        generation=Generation(
            kernels=tokens * kernels * (layers + beside[0]) + after[1], tokens=tokens, layers=layers,
            parameters=parameters,
        ),
        one_text=True, own_precision=precision, width=float(hidden),
    )  # fmt: skip


# Zonos replays CUDA graphs of a token: it wrote 164 of them a second on an RTX 4090 (Zyphra/Zonos pull request 51,
# 2025-02-13) and about 100 on an L40 (its issue 129, 2025-02-18), where launches one by one make 56 and 46.
_GRAPHED_KERNELS = 9

# Fish Speech 1.5: frames of 2,048 samples of 44.1 kHz, of eight codes each; a layer of those that write the codes.
_FISH_RATE, _FISH_CODES = 44_100 / 2_048, 8
_FISH_LAYER = 2 * 1_024**2 + 2 * 1_024 * 128 + 3 * 1_024 * 4_096.0

# F5-TTS (arXiv 2410.06885; SWivid/F5-TTS, F5TTS_v1_Base.yaml): 22 blocks of 1,024 whose feed-forward is twice as wide,
# over the frames of a prompt of some seconds and of the speech, in 32 steps, each with and without the text.
_F5_LAYERS, _F5_WIDTH, _F5_STEPS, _F5_PROMPT_SECONDS, _F5_FRAMES = 22, 1_024, 32, 5.0, 24_000 / 256


def _f5() -> ModelProfile:
    frames = (_SPOKEN_SECONDS + _F5_PROMPT_SECONDS) * _F5_FRAMES
    sizes = (_F5_LAYERS, _F5_WIDTH, 16, 16, 64, 2 * _F5_WIDTH)
    block, times = dimensions(sizes, 0, 4_096, gated=False, tied=True, causal=False), 2 * _F5_STEPS
    one = _F5_LAYERS * (8.0 * _F5_WIDTH**2 + 2 * frames * _F5_WIDTH)
    flops, _, waves = _vocoder(_SPOKEN_SECONDS)
    written = written_elements(block, frames, True)
    return ModelProfile(
        name="f5-tts", family="speech", sample=f"{_SPOKEN_SECONDS:g} s of sound", parameters=336e6,
        audio_seconds=_SPOKEN_SECONDS, forward_flops=FLOP_PER_MAC * times * frames * one + flops,
        written_elements=times * written + waves, stored_elements=2 * written,
        kernels=float(times * KERNELS_PER_LAYER * _F5_LAYERS), one_text=True, trained_work=1 / times,
        source="arXiv 2410.06885; SWivid/F5-TTS: dimensions, 32 steps with guidance, behind a prompt of 5 s",
        aliases=("f5tts", "f5-tts-base", "f5-tts-v1"), architecture="bert", traffic="transformer", memory="encoder",
        default_dataset="ljspeech",
    )  # fmt: skip


# Kernels of StyleTTS 2's plan without its diffusion, which is Kokoro's too (hexgrad/kokoro @2ed96c66: istftnet.py;
# modules.py; config.json of Kokoro-82M): each convolution comes after a normalisation by style (a projection, the
# copied scale and shift, the norm, three of elements) and an activation (a sine's six, or one), and computes its weight
# from a norm, itself, its bias. It makes 35 to 100 s of sound a second on an RTX 4060 Ti (remsky/Kokoro-FastAPI, README
# @02ecef77), 90 on an RTX 3090 Ti (huggingface.co/hexgrad/Kokoro-82M, discussion 20). Eight blocks of six convolutions
# make sound, eleven of two make what they start from.
_BY_STYLE, _SINE, _LEAKY, _CONVOLVED = 7, 6, 1, 3
_SOUND_BLOCK, _FRAME_BLOCK = 6 * (_BY_STYLE + _SINE + _CONVOLVED) + 3, 2 * (_BY_STYLE + _LEAKY + _CONVOLVED) + 6
# Bidirectional LSTM: five over phonemes, one over frames, of which each step launches a product and its gates. Servers
# cut texts to 175 to 250 phonemes, 10 to 20 s of sound (that README); a frame is 600 samples of 24 kHz.
_OVER_PHONEMES, _OVER_FRAMES, _LSTM_STEP = 5, 1, 2 * 2
_PHONEMES_A_SECOND, _FRAMES_A_SECOND = 15.0, 24_000 / 600
_PL_BERT_LAYERS = 12
# 758 MiB were given back after 6 s of sound, of which 82 million weights in fp32 are 312 (that README).
_LIVE_A_SECOND = (758 - 312) * 2**20 / 4 / 6
# VITS (jaywalnut310/vits @2c26f218, models.py and modules.py): six layers of text with relative positions, the
# duration's convolutions and splines, four flows of four gated layers, the vocoder's twelve blocks of six convolutions.
# It trains its vocoder on one segment of each clip, with discriminators. A V100 trained 32 clips of LJSpeech a second
# (p3.2xlarge, batch 32, jaywalnut310/vits issue 184, 2023), an A4000 33 (batch 20, issue 122, 2023). The estimate for
# whole clips is 10.
_VITS_TRAINED = 10 / 32
_VITS_KERNELS = 6 * 45 + 4 * 125 + 4 * 75 + 12 * (6 * (_LEAKY + _CONVOLVED) + 3.0)


def _by_style() -> float:
    """Kernels of a sample: the text's encoder, the recurrent layers step by step, the convolutions."""
    steps = _SPOKEN_SECONDS * (_OVER_PHONEMES * _PHONEMES_A_SECOND + _OVER_FRAMES * _FRAMES_A_SECOND)
    return KERNELS_PER_LAYER * _PL_BERT_LAYERS + _LSTM_STEP * steps + 8 * _SOUND_BLOCK + 11 * _FRAME_BLOCK


def _voice(
    name: str, million: float, kernels: float, source: str, aliases: tuple[str, ...] = (), live: float = 0.0,
    trained_work: float = 1.0,
) -> ModelProfile:  # fmt: skip
    """Speech in one pass: a text part like FastPitch's before a vocoder like HiFi-GAN's."""
    flops, _, waves = _vocoder(_SPOKEN_SECONDS)
    return ModelProfile(
        name=name, family="speech", sample=f"{_SPOKEN_SECONDS:g} s of sound", parameters=million * 1e6,
        audio_seconds=_SPOKEN_SECONDS,
        forward_flops=flops + 36.0e9 * _SPOKEN_SECONDS / _CLIP_SECONDS, written_elements=waves + _TEXT_ELEMENTS,
        stored_elements=2 * (waves + _TEXT_ELEMENTS), kernels=kernels, source=source, aliases=aliases, one_text=True,
        own_precision="fp32", live_elements=live, architecture="fastpitch", traffic="speech_1d",
        memory="convolution_1d", default_dataset="ljspeech", trained_work=trained_work,
        trained_elements=_trained_elements(waves) if trained_work < 1 else 1.0,
    )  # fmt: skip


# Piper's voices of medium quality, its default (rhasspy/piper @12ed642e, piper_train/__main__.py; vits/lightning.py):
# VITS with a vocoder that starts at 256 channels and has two convolutions in each of three blocks a level.
_LIGHT_LEVELS, _LIGHT_TAPS, _FLOW_WIDTH = ((8, 16), (8, 16), (4, 8)), (3, 5, 7), 192
_LIGHT_KERNELS = 6 * 45 + 4 * 125 + 4 * 75 + 9 * (2 * (_LEAKY + _CONVOLVED) + 1.0)


def _light_vocoder(seconds: float) -> tuple[float, float]:
    """FLOPs and written elements."""
    rate, channels = seconds * _SYNTHESIS_RATE / _HOP, 256.0
    macs, outputs = rate * 7 * _FLOW_WIDTH * channels, rate * channels
    for factor, taps in _LIGHT_LEVELS:
        macs += rate * taps * channels * channels / 2
        rate, channels = rate * factor, channels / 2
        macs += rate * 2 * sum(_LIGHT_TAPS) * channels**2
        outputs += rate * channels * (1 + 2 * len(_LIGHT_TAPS))
    return FLOP_PER_MAC * (macs + rate * 7 * channels), outputs


def _piper() -> ModelProfile:
    voice = _voice("piper-medium", 15.8, _LIGHT_KERNELS, "rhasspy/piper @12ed642e, piper_train, by dimensions",
                   ("piper", "piper-tts", "piper-low", "lessac-medium", "en-us-lessac-medium"))  # fmt: skip
    waves, outputs = _light_vocoder(_SPOKEN_SECONDS)
    frames = _SPOKEN_SECONDS * _SYNTHESIS_RATE / _HOP
    flow = 4 * 4 * (5 + 1) * _FLOW_WIDTH * 2 * _FLOW_WIDTH  # flows of gated layers of five taps, and their outputs
    written = outputs + frames * 4 * 4 * 4 * _FLOW_WIDTH
    return replace(
        voice, forward_flops=waves + FLOP_PER_MAC * frames * flow, written_elements=written, stored_elements=2 * written
    )


def _trained_elements(waves: float) -> float:
    """Share of the kept elements of a clip, where the vocoder learns on a segment of it."""
    segment = _vocoder(_SEGMENT / _SYNTHESIS_RATE)[2]
    return (segment + _TEXT_ELEMENTS) / (waves + _TEXT_ELEMENTS)


_CLIP_SECONDS = 566 * _HOP / _SYNTHESIS_RATE  # of FastPitch's sample
_AUTOREGRESSIVE = "by dimensions of the decoder that writes its codes"
# Read again at each frame (arXiv 1712.05884, section 2.2): two LSTM layers of 1,024 units, over 256 values of the last
# frame and 512 of the text, and over the first layer and the text; their two input layers, and the output's 81 values.
_TACOTRON_DECODER = 4 * 1024 * (768 + 1024) + 4 * 1024 * (1536 + 1024) + 80 * 256 + 256 * 256 + 1536 * 81.0

SYNTHESIS = (
    ModelProfile(
        name="tacotron2", family="speech", sample="one clip of 566 mel frames", parameters=28.2e6, forward_flops=27.0e9,
        written_elements=16.0e6, stored_elements=0.0, fp32_elements=71.0e6, kernels=36_000.0,
        source="arXiv 1712.05884; " + _STUDY, aliases=("tacotron",), architecture="tacotron",
        reference=Reference(sequence_length=566), scaling="sequence", traffic="rnn", memory="rnn", sequential=True,
        generation=Generation(kernels=36_000.0, tokens=566.0, layers=2, parameters=_TACOTRON_DECODER),
        default_dataset="ljspeech",
        audio_seconds=_CLIP_SECONDS,
    ),
)  # fmt: skip

LATER_SYNTHESIS = (
    _spoken("xtts-v2", 30, 1024, 21.5, "arXiv 2406.04904; " + _AUTOREGRESSIVE + " (21.5 a second)",
            ("xtts", "coqui-xtts", "xtts-v2.0", "xttsv2", "coqui-tts"), 467.0, "fp32"),
    _spoken("bark", 24, 1024, 200.0, "github.com/suno-ai/bark; " + _AUTOREGRESSIVE
            + " (50 semantic and 150 coarse ones a second, of three networks)", ("bark-large", "suno-bark"), 1_000.0,
            kernels=_BARK_KERNELS),
    _spoken("bark-small", 12, 768, 200.0, "github.com/suno-ai/bark; " + _AUTOREGRESSIVE, (), 240.0,
            kernels=_BARK_KERNELS),
    _spoken("chatterbox", 30, 1024, 25.0, "resemble-ai/chatterbox @7300e60a, t3/llama_configs.py; " + _AUTOREGRESSIVE
            + " (25 a second)", ("chatterbox-tts", "chatterbox-multilingual"), 530.0, "fp32"),
    _spoken("dia-1.6b", 18, 2048, 86.0, "nari-labs/Dia-1.6B: config.json; " + _AUTOREGRESSIVE + " (86 a second), "
            "with the text beside it", ("dia", "dia-tts"), 1_610.0, gated=8_192, beside=(0, 18 * 2 * 2048.0**2)),
    _spoken("csm-1b", 16, 2048, 12.5, "SesameAILabs/csm: a decoder of 1 B and one of four layers that writes 31 codes "
            "of each frame", ("csm", "sesame-csm-1b"), 1_600.0, gated=8_192,
            beside=(31 * 4, 31 * 4 * (2.5 * 1_024**2 + 3 * 1_024 * 8_192))),
    _spoken("cosyvoice2-0.5b", 24, 896, 25.0, "arXiv 2412.10117: a decoder as Qwen2.5-0.5B (25 a second), ten steps of "
            "flow matching with 64 blocks of 256 over 50 frames a second, and a vocoder",
            ("cosyvoice2", "cosyvoice-2", "cosyvoice-2-0.5b", "cosyvoice"), 630.0, gated=4_864,
            after=(2 * 2 * 10 * 50 * _SPOKEN_SECONDS * 71e6, 10.0 * KERNELS_PER_LAYER * 64)),
    # Nine codes of a frame come at once, from a sequence with the text's conditions and one without.
    _spoken("zonos-v0.1", 26, 2048, 44_100 / 512, "Zyphra/Zonos-v0.1-transformer: copy of config.json, read 2026-11-28"
            "; " + _AUTOREGRESSIVE + " (86 a second)", ("zonos", "zonos-v0.1-transformer", "zonos-tts"), 1_600.0,
            gated=8_192, grouped=(4, 128), kernels=_GRAPHED_KERNELS),
    _spoken("fish-speech-1.5", 24, 1024, _FISH_RATE, "config.json of copies of fishaudio/fish-speech-1.5, read "
            "2026-11-28: 24 layers write a token, four write its eight codes; parameters by dimensions, which its file "
            "of 1.28 GB has", ("fish-speech", "fishspeech", "fish-speech-1.4", "fish-tts", "fish-audio"), 638.0,
            gated=4_096, grouped=(2, 64), beside=(_FISH_CODES * 4, _FISH_CODES * 4 * _FISH_LAYER)),
    _f5(),
    _spoken("musicgen-small", 24, 1024, 50.0, "arXiv 2306.05284; " + _AUTOREGRESSIVE, ("musicgen",), 587.0),
    _spoken("musicgen-medium", 48, 1536, 50.0, "arXiv 2306.05284; " + _AUTOREGRESSIVE, (), 2_020.0),
    _spoken("musicgen-large", 48, 2048, 50.0, "arXiv 2306.05284; " + _AUTOREGRESSIVE, ("musicgen-stereo-large",),
             3_300.0),
    _spoken("parler-tts-mini", 24, 1024, 86.0, "huggingface/parler-tts; " + _AUTOREGRESSIVE,
            ("parler-tts", "parler-tts-mini-v1"), 880.0),
    _spoken("parler-tts-large", 30, 1536, 86.0, "huggingface/parler-tts; " + _AUTOREGRESSIVE,
            ("parler-tts-large-v1",), 2_330.0),
    _voice("kokoro-82m", 82.0, _by_style(), "hexgrad/Kokoro-82M: parameters; work as of FastPitch and HiFi-GAN",
           ("kokoro", "kokoro-tts", "kokoro-82m-v1.0", "kokoro-v1.0"), _LIVE_A_SECOND * _SPOKEN_SECONDS),
    _voice("vits-tts", 28.0, _VITS_KERNELS, "arXiv 2106.06103: parameters; work as of FastPitch and HiFi-GAN",
           ("piper-high", "coqui-vits", "vits-ljs", "mms-tts", "mms-tts-eng", "melotts"),
           trained_work=_VITS_TRAINED),
    _piper(),
    _voice("styletts2", 148.0, _by_style(), "arXiv 2306.07691; work as of FastPitch and HiFi-GAN, kernels as Kokoro's",
           ("styletts-2", "styletts"), _LIVE_A_SECOND * _SPOKEN_SECONDS),
)  # fmt: skip
