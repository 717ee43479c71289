"""Speech: synthesis, vocoders and recognition."""

from __future__ import annotations

from plimsoll_service.engine.models.profile import ModelProfile, Reference

_STUDY = "throughput study section 8 and memory study section 2"

SPEECH = (
    ModelProfile(
        name="tacotron2", family="speech", sample="one clip of 566 mel frames", parameters=28.2e6, forward_flops=27.0e9,
        written_elements=16.0e6, stored_elements=0.0, fp32_elements=71.0e6, kernels=36_000.0,
        source="arXiv 1712.05884; " + _STUDY, aliases=("tacotron",), kin="tacotron",
        reference=Reference(sequence_length=566), scaling="sequence", traffic="rnn", memory="rnn", sequential=True,
        default_dataset="ljspeech",
    ),
    ModelProfile(
        name="waveglow", family="speech", sample="one segment of 8,000 audio samples", parameters=268.0e6,
        forward_flops=529.0e9, written_elements=384.0e6, stored_elements=295.0e6, kernels=1250.0,
        source="arXiv 1811.00002; " + _STUDY, kin="waveglow", reference=Reference(sequence_length=8000),
        scaling="sequence", traffic="rnn", memory="convolution_1d", default_dataset="ljspeech",
    ),
    ModelProfile(
        name="fastpitch", family="speech", sample="one clip of 566 mel frames", parameters=45.0e6, forward_flops=36.0e9,
        written_elements=32.0e6, stored_elements=64.0e6, kernels=420.0, source="arXiv 2006.06873; " + _STUDY,
        kin="fastpitch", reference=Reference(sequence_length=566), scaling="sequence", traffic="speech_1d",
        memory="convolution_1d", default_dataset="ljspeech",
    ),
    ModelProfile(
        name="hifi-gan", family="speech", sample="one segment of 8,192 audio samples (32 mel frames)",
        parameters=13.92e6, forward_flops=19.6e9, written_elements=16.2e6, stored_elements=32.4e6, kernels=230.0,
        source="arXiv 2010.05646, V1 generator, layer by layer", aliases=("hifigan",), kin="waveglow",
        reference=Reference(sequence_length=8192), scaling="sequence", traffic="speech_1d", memory="convolution_1d",
        default_dataset="ljspeech",
    ),
    ModelProfile(
        name="quartznet", family="speech", sample="one utterance of 12.3 s (1,230 frames)", parameters=18.9e6,
        forward_flops=23.3e9, written_elements=75.0e6, stored_elements=150.0e6, kernels=420.0,
        source="arXiv 1910.10261; " + _STUDY, aliases=("quartznet-15x5",), kin="quartznet",
        reference=Reference(sequence_length=1230), scaling="sequence", traffic="speech_1d", memory="convolution_1d",
        default_dataset="librispeech",
    ),
    ModelProfile(
        name="jasper", family="speech", sample="one utterance of 12.3 s (1,230 frames)", parameters=333.0e6,
        forward_flops=410.0e9, written_elements=26.0e6, stored_elements=52.0e6, kernels=330.0,
        source="arXiv 1904.03288; " + _STUDY, aliases=("jasper-10x5",), kin="quartznet",
        reference=Reference(sequence_length=1230), scaling="sequence", traffic="speech_1d", memory="convolution_1d",
        default_dataset="librispeech",
    ),
    ModelProfile(
        name="rnn-t", family="speech", sample="one utterance of 12.3 s (1,230 frames)", parameters=49.0e6,
        forward_flops=23.4e9, written_elements=9.0e6, stored_elements=13.0e6, kernels=4500.0,
        source="MLPerf RNN-T: 2 + 3 LSTM layers of 1,024, prediction net of 320", aliases=("rnnt",), kin="lstm",
        reference=Reference(sequence_length=1230), scaling="sequence", traffic="rnn", memory="rnn", sequential=True,
        default_dataset="librispeech",
    ),
)  # fmt: skip
