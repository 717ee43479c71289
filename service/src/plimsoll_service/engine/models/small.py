"""Small networks of tutorials: what a first GPU is often compared with a CPU on."""

from __future__ import annotations

from plimsoll_service.engine.models.profile import ModelProfile, Reference

_KERAS = "Keras's example of that name: sizes from the script"

SMALL = (
    ModelProfile(
        name="mnist-mlp", family="mlp", sample="one 28 x 28 image", parameters=669_706.0,
        forward_flops=2.0 * (784 * 512 + 512 * 512 + 512 * 10), written_elements=1034.0, stored_elements=3.0 * 1034,
        kernels=12.0, source=_KERAS + " (mnist_mlp: 784-512-512-10)",
        aliases=("mlp", "keras-mlp", "mlp-784-512-512-10"), kin="keras", traffic="recommender", memory="mlp",
        default_dataset="mnist", script_batch=128,
    ),
    ModelProfile(
        name="mnist-cnn", family="cnn", sample="one 28 x 28 image", parameters=1_199_882.0, forward_flops=23.985e6,
        written_elements=58_634.0, stored_elements=2.25 * 58_634, kernels=16.0, source=_KERAS + " (mnist_cnn)",
        aliases=("keras-cnn", "cnn-2-conv-2-dense", "cnn-2-conv"), kin="keras",
        reference=Reference(image_size=(28, 28)), scaling="area", traffic="plain_cnn", default_dataset="mnist",
        script_batch=128,
    ),
    ModelProfile(
        name="cifar10-cnn", family="cnn", sample="one 32 x 32 image", parameters=1_250_858.0, forward_flops=41.48e6,
        written_elements=87_306.0, stored_elements=2.25 * 87_306, kernels=24.0, source=_KERAS + " (cifar10_cnn)",
        aliases=("cifar-cnn", "cifar10"), kin="keras", reference=Reference(image_size=(32, 32)), scaling="area",
        traffic="plain_cnn", default_dataset="cifar-10", script_batch=32,
    ),
    ModelProfile(
        name="fasttext", family="mlp", sample="one review of 400 words and word pairs", parameters=60.0e6,
        forward_flops=40_100.0, written_elements=20_051.0, stored_elements=40_102.0, kernels=8.0,
        source=_KERAS + " (imdb_fasttext, bigrams: about 1.2 M rows of 50); arXiv 1607.01759",
        aliases=("keras-fasttext", "fasttext-embedding-50-d-bigrams", "fasttext-imdb"), kin="keras",
        reference=Reference(sequence_length=400), scaling="sequence", traffic="recommender", memory="mlp",
        script_batch=32, default_dataset="imdb",
        gathered_bytes=80_000.0,  # Keras's optimizer updates the whole table at each step
    ),
)  # fmt: skip
