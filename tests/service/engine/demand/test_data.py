"""Amount of data of a job for which only a part was stated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.charged import padded_note
from plimsoll_service.engine.workload import Dataset, Query, Workload

ROWS = 1e6


@pytest.mark.parametrize(
    ("form", "least", "most"),
    [("csv", 10, 1e3), ("parquet", 10, 1e3), ("text", 1e3, 1e4), ("wav", 1e5, 1e6), ("jpeg", 5e4, 5e5)],
)
def test_a_sample_of_a_format_is_what_such_files_hold(form: str, least: float, most: float) -> None:
    """Without a model a row has the bytes of a row, a page those of a page: a million rows are no hundred gigabytes."""
    feed = job_of(Query(Workload("preprocessing", dataset=Dataset(samples=ROWS, format=form)))).feed
    assert feed is not None
    assert least < feed.stored_bytes / ROWS < most


@pytest.mark.parametrize("form", ["csv", "text", "wav", "jpeg"])
def test_size_and_samples_follow_from_each_other(form: str) -> None:
    """The size that is assumed for a number of samples gives the same number back."""
    counted = job_of(Query(Workload("preprocessing", dataset=Dataset(samples=ROWS, format=form)))).feed
    assert counted is not None
    sized = Dataset(size_bytes=counted.stored_bytes, format=form)
    assert job_of(Query(Workload("preprocessing", dataset=sized))).samples == pytest.approx(ROWS)


@pytest.mark.parametrize(
    ("model", "load", "brings"),
    [
        ("yolov8n", {"requests_per_second": 5}, True),
        ("vit-base", {"concurrency": 4}, True),
        ("resnet50", {"latency_ms": 100}, True),
        ("resnet50", {}, False),  # nobody says that it is asked over a network
        ("sdxl", {"requests_per_second": 5}, False),  # pictures are made
        ("bert-base", {"requests_per_second": 5}, False),
    ],
)
def test_requests_of_a_load_bring_the_images_that_the_host_decodes(model: str, load: dict, brings: bool) -> None:
    """Milliseconds of a core each, and nothing on the disk."""
    feed = job_of(Query(Workload("inference", model=model, **load))).feed
    assert (feed is not None) == brings
    if feed is not None:
        assert 1e-3 < feed.core_seconds < 1e-2
        assert feed.format == "memory"


def test_a_detectors_boxes_are_filtered_on_the_host() -> None:
    """A picture of the same size takes longer than one that is only classified."""
    detected, masked = (
        job_of(Query(Workload("inference", model=model, requests_per_second=5))).feed for model in ("yolov8n", "unet")
    )
    assert detected.core_seconds - masked.core_seconds == pytest.approx(1.63e-3)


def test_a_stock_loader_turns_volumes_on_the_host() -> None:
    """12 processes feed an A100, which takes 11 volumes of 128 a side a second; a tuned loader needs no cores."""

    def seconds(**asked: object) -> float:
        feed = job_of(Query(Workload(**{"task": "training", "model": "unet-3d", **asked}))).feed
        return feed.core_seconds

    assert 0.60 == pytest.approx(seconds(image_size=(128, 128, 128)), rel=0.01)
    assert 12 / seconds(image_size=(128, 128, 128)) > 11
    assert 8 == pytest.approx(seconds(image_size=(128, 128, 128)) / seconds(image_size=(64, 64, 64)), rel=0.01)
    assert seconds(tuning="tuned") < 0.01 > seconds(task="inference", dataset=Dataset(samples=100))


def test_a_stock_loader_shuffles_the_rows_of_a_table() -> None:
    """40 integers of four bytes from Parquet took 0.93 µs of a thread that is 1.06 times the reference."""
    rows = Dataset(size_bytes=160e9, samples=1e9, format="parquet")
    stock, tuned = (
        job_of(Query(Workload("training", model="dlrm", dataset=rows, tuning=tuning))).feed
        for tuning in ("stock", "tuned")
    )

    assert stock is not None
    assert tuned is not None
    assert stock.core_seconds == pytest.approx(0.93e-6 * 1.06, rel=0.1)
    assert tuned.core_seconds < stock.core_seconds / 5


def test_small_texts_are_not_taken_for_samples_of_a_whole_sequence() -> None:
    """20 MB in 50,000 samples are 4.4 million tokens; of a stated length, the padding is counted, and told."""
    work = Workload("training", model="llama-3-8b", method="lora", dataset=Dataset(size_bytes=2e7, samples=5e4))
    short, padded, full = (
        job_of(Query(one))
        for one in (
            work,
            replace(work, sequence_length=4096),
            replace(work, dataset=Dataset(size_bytes=2e7, samples=1e3)),
        )
    )
    warned = [[note.rule for note in padded_note(one)] for one in (short, padded, full)]

    assert [2e7 / 4.5, 5e4 * 4096, 1e3 * 2048] == pytest.approx(
        [one.samples * float(one.workload.sequence_length or 0) for one in (short, padded, full)]
    )
    assert [[], ["padded-samples"], []] == warned


def test_a_letter_of_a_protein_is_a_token() -> None:
    """ESM-2 takes one token a residue (33 tokens; vocab.txt of facebook/esm2_t33_650M_UR50D, read 2026-11-28)."""
    work = Workload("training", model="esm2-650m", sequence_length=512)
    jobs = [job_of(Query(replace(work, dataset=Dataset(size_bytes=size, samples=2e5)))) for size in (1.2e8, 2e7)]

    assert [[], ["padded-samples"]] == [[note.rule for note in padded_note(one)] for one in jobs]
    short = job_of(Query(replace(work, sequence_length=None, dataset=Dataset(size_bytes=2e7, samples=2e5))))
    assert short.workload.sequence_length == 128


@pytest.mark.parametrize(("size", "expected"), [(6e6, 64), (1e6, 8), (9e7, 384)])
def test_short_texts_are_padded_to_little_more_than_they_hold(size: float, expected: int) -> None:
    """30,000 tweets in 6 MB have 44 tokens each, not the 384 of paragraphs with a question; a stated length holds."""
    work = Workload("training", model="bert-base", dataset=Dataset(size_bytes=size, samples=3e4), epochs=4)
    stated = replace(work, sequence_length=256)

    assert [expected, 256] == [job_of(Query(one)).workload.sequence_length for one in (work, stated)]


@pytest.mark.parametrize(
    ("name", "length", "padded"),
    [("mnli", 64, False), ("sst-2", 16, False), ("imdb", 384, False), ("squad", 384, False)],
)
def test_known_texts_are_padded_to_little_more_than_they_hold(name: str, length: int, padded: bool) -> None:
    """MNLI has 42 tokens a pair; questions of SQuAD share the paragraphs that each of them is read with."""
    job = job_of(Query(Workload("training", model="bert-base", dataset=Dataset(name=name))))

    assert length == job.workload.sequence_length
    assert padded == bool(list(padded_note(job)))


def test_running_text_fills_its_sequences() -> None:
    """BERT's million steps of 256 sequences of 512 tokens are 40 passes over its words (arXiv 1810.04805, A.2)."""
    corpus = Dataset(name="wikibooks")
    work = Workload("training", model="bert-base", dataset=corpus, sequence_length=512, epochs=40)
    short = replace(work, sequence_length=128)

    assert 1e6 * 256 == pytest.approx(job_of(Query(work)).samples, rel=0.05)
    assert 4 == pytest.approx(job_of(Query(short)).samples / job_of(Query(work)).samples, rel=1e-3)


@pytest.mark.parametrize(("name", "corpus"), [("the-pile", True), ("wikipedia", True), ("c4", True), ("alpaca", False)])
def test_a_corpus_is_read_once_in_large_steps(name: str, corpus: bool) -> None:
    """Whether its tokens were published, or follow from its bytes."""
    job = job_of(Query(Workload("training", model="gpt2-xl", method="full", dataset=Dataset(name=name))))
    encoder = job_of(Query(Workload("training", model="bert-base", dataset=Dataset(name=name))))

    assert corpus == (job.batch_limit > 1024)
    assert corpus == (encoder.workload.epochs == 1)


@pytest.mark.parametrize(
    ("name", "tokens"),
    [("wikitext-103", 103_227_021), ("alpaca", 5.7e6), ("openwebtext", 9.04e9), ("squad", 30.3e6 / 4.5)],
)
def test_a_language_model_reads_the_tokens_of_a_known_data_set(name: str, tokens: float) -> None:
    """Neither a sequence for each word, nor instructions that are padded to the whole context."""
    work = Workload("training", model="gpt2", method="full", dataset=Dataset(name=name), epochs=2)
    job = job_of(Query(work))

    assert 2 * tokens == pytest.approx(job.samples * float(job.workload.sequence_length or 0))


def test_a_table_of_a_known_name_has_its_rows_and_columns() -> None:
    """Boosting on HIGGS learns 11 million rows of 28 columns, and on Criteo 4.2 billion of 39; no typical table."""
    found = []
    for name in ("higgs", "criteo-1tb"):
        job = job_of(Query(Workload("training", model="xgboost", dataset=Dataset(name=name))))
        assert job.feed is not None
        found.append((job.feed.samples, job.workload.features, job.feed.format))

    assert [(11e6, 28, "csv"), (4_195_197_692, 39, "csv")] == found


@pytest.mark.parametrize(
    ("model", "side", "samples", "expected"),
    [
        ("cifar10-cnn", None, 50_000, 153.65e6),  # cs.toronto.edu/~kriz/cifar.html: 3,073 bytes an image
        ("mnist-cnn", None, 60_000, 47.04e6),  # yann.lecun.com/exdb/mnist: 784 bytes an image
        ("resnet18", (32, 32), 50_000, 153.6e6),  # arXiv 1707.08819: arrays of three bytes a pixel
        ("resnet18", None, 50_000, 5.772e9),  # files as ImageNet's
    ],
)
def test_small_images_that_nobody_describes_are_arrays_of_pixels(
    model: str, side: tuple[int, int] | None, samples: int, expected: float
) -> None:
    """The model's own data tell how they are held; else all pixels of images of that size."""
    query = Query(Workload("training", model=model, image_size=side, dataset=Dataset(samples=samples)))
    feed = job_of(query).feed
    assert feed is not None
    assert pytest.approx(expected, rel=1e-3) == feed.stored_bytes


def test_a_worker_of_a_loader_brings_half_the_images_that_a_thread_decodes() -> None:
    """Ten workers of timm gave an A100 192 images each (huggingface/pytorch-image-models issue 1491, 2022-10-10)."""
    work = Workload("training", model="resnet50", framework="pytorch", dataset=Dataset(name="imagenet-1k"))
    stock, tuned = (job_of(Query(one)).feed for one in (work, replace(work, tuning="tuned")))
    written = job_of(Query(replace(work, framework="tensorflow"))).feed

    assert stock is not None
    assert tuned is not None
    assert written is not None
    assert 1 / stock.core_seconds == pytest.approx(192, rel=0.1)
    assert tuned.core_seconds < written.core_seconds < stock.core_seconds
