"""Known data sets, and the work that storage formats cause in the loader."""

import pytest

from plimsoll_service.engine import datasets
from plimsoll_service.engine.datasets import DATA_FORMATS, DECODERS, TWO_THREADS, KnownDataset
from plimsoll_service.engine.models.families import MODEL_FAMILIES
from plimsoll_service.engine.workload import DATASET_FORMATS
from plimsoll_service.evidence import coefficients

TABLE = coefficients.load().datasets


def dataset(name: str) -> KnownDataset:
    found = TABLE.find(name)
    assert found is not None
    return found


def test_every_format_of_the_contract_is_described() -> None:
    """Each storage format has a known decoder."""
    assert set(DATASET_FORMATS) == set(DATA_FORMATS)
    assert {form.decoder for form in DATA_FORMATS.values()} <= set(DECODERS)


@pytest.mark.parametrize("known", TABLE.rows, ids=lambda known: known.name)
def test_an_entry_is_complete(known: KnownDataset) -> None:
    """Samples, a size in its own format, a source; and it is found by its names."""
    assert known.samples > 0
    assert known.source
    assert dict(known.bytes)[known.format] > 0
    assert {form for form, _ in (*known.bytes, *known.validation_bytes)} <= set(DATASET_FORMATS)
    assert all(TABLE.find(name) == known for name in (known.name, *known.aliases))


def test_imagenet_is_the_measured_one() -> None:
    """S3-01: 1,281,167 images, 240 GB of LMDB, 93 GB of RecordIO; 9.4 and 3.7 GB for validation."""
    imagenet = dataset("ImageNet")
    assert imagenet.samples == 1_281_167
    assert datasets.size_of(imagenet, "lmdb") == 240e9
    assert datasets.size_of(imagenet, "recordio") == 93e9
    assert dict(imagenet.validation_bytes)["lmdb"] == 9.4e9
    assert dict(imagenet.validation_bytes)["recordio"] == 3.7e9


def test_a_size_in_another_format_is_scaled() -> None:
    """COCO as LMDB grows as ImageNet does."""
    coco = dataset("coco")
    assert datasets.size_of(coco, "lmdb") == pytest.approx(coco_jpeg() * 240 / 147.9)


def coco_jpeg() -> float:
    return datasets.size_of(dataset("coco"))


@pytest.mark.parametrize(
    ("spelling", "name"),
    [("ILSVRC2012", "imagenet-1k"), ("Penn Treebank", "ptb"), ("WikiText 103", "wikitext-103"), ("allenai/c4", "c4"),
     ("Criteo_1TB", "criteo-1tb"), ("common crawl", "c4"), ("tatsu-lab/alpaca", "alpaca"), ("mscoco", "coco")],
)  # fmt: skip
def test_usual_spellings(spelling: str, name: str) -> None:
    """Data sets are found in their usual spellings."""
    assert dataset(spelling).name == name


def test_unknown_data_sets_are_not_guessed() -> None:
    """A near miss is suggested."""
    assert TABLE.find("imagenett") is None
    assert "imagenet-1k" in TABLE.suggest("imagenett")


@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_every_family_has_a_typical_sample(family: str) -> None:
    """Without any data in the question, there is still a size."""
    assert datasets.bytes_per_sample(family, "memory", 100) > 0


def test_prepared_records_cost_less_than_decoding() -> None:
    """An LMDB record is copied, a JPEG decoded: that is what preparation buys."""
    jpeg = datasets.core_seconds_per_sample("jpeg", datasets.bytes_per_sample("cnn", "jpeg"))
    lmdb = datasets.core_seconds_per_sample("lmdb", datasets.bytes_per_sample("cnn", "lmdb"))
    assert lmdb < jpeg / 2


def test_a_core_decodes_seven_hundred_images() -> None:
    """The cap of real-data runs in the throughput study."""
    stored = datasets.bytes_per_sample("cnn", "jpeg")

    assert TWO_THREADS / datasets.core_seconds_per_sample("jpeg", stored, tuned=True) == pytest.approx(700)
    assert 1 / datasets.core_seconds_per_sample("jpeg", stored) == pytest.approx(410)


def test_a_small_image_takes_a_stock_loader_more_than_its_share_of_bytes() -> None:
    """Resizing to the network's input, normalising and Python take 0.94 of 2.55 ms of ImageNet's mean image."""
    mean = datasets.bytes_per_sample("cnn", "jpeg")
    whole, small, dot = (datasets.core_seconds_per_sample("jpeg", size) for size in (mean, mean / 2, 0.0))

    assert dot / whole == pytest.approx(0.94 / 2.55)
    assert small / whole == pytest.approx((1 + 0.94 / 2.55) / 2)


@pytest.mark.parametrize("size", [1e3, 2e4, 1e5, 1e6])
@pytest.mark.parametrize("form", ["jpeg", "png", "webdataset", "recordio"])
def test_the_whole_of_an_image_takes_longer_than_a_crop_and_a_tuned_loader_least(form: str, size: float) -> None:
    """Before inference, all of an image is made smaller: 18.9 µs a KB, where a crop takes 14.0."""
    crop, tuned = (datasets.core_seconds_per_sample(form, size, tuned=tuned) for tuned in (False, True))
    whole, larger = (datasets.core_seconds_per_sample(form, one, whole=True) for one in (size, 2 * size))
    fixed = datasets.core_seconds_per_sample(form, 0.0, whole=True)

    assert tuned < crop < whole < larger
    assert (whole - fixed) / (crop - fixed) == pytest.approx(18.9 / 14.0)


def test_records_are_decoded_as_what_they_hold() -> None:
    """A TFRecord of text is tokenised, one of pictures decoded; files named JPEG are pictures for any model."""
    size = 1e5
    text, image, row = (
        datasets.core_seconds_per_sample("tfrecord", size, family) for family in ("decoder", "cnn", "recommender")
    )
    assert text == pytest.approx(size / 5e6)
    assert row == pytest.approx(size / 84e6)
    assert image == datasets.core_seconds_per_sample("jpeg", size, "encoder")


def test_categories_as_words_cost_more_than_numbers_and_columns_least() -> None:
    """A row of Criteo, 247 bytes as text: 8.4 µs as it comes, 4.6 with PyArrow and hashes; 0.19 µs as Parquet."""
    row = 247.4
    raw = datasets.core_seconds_per_sample("csv", row, "recommender")
    tuned = datasets.core_seconds_per_sample("csv", row, "recommender", tuned=True)
    numbers = datasets.core_seconds_per_sample("csv", row, "tree")
    _, columns = datasets.as_columns(row, None, "recommender", tuned=False)

    assert (raw, tuned) == pytest.approx((8.43e-6 * 1.06, 4.62e-6 * 1.06), rel=0.02)
    assert columns < numbers < tuned < raw


def test_a_known_table_has_its_own_size_as_columns() -> None:
    """Criteo's 1.05 TB of text are 671 GB of columns of four bytes."""
    size, _ = datasets.as_columns(1.05e12, dataset("criteo-1tb"), "recommender", tuned=False)
    assert size == pytest.approx(671e9)
