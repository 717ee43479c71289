"""Data sets known by name, and what each storage format asks of the loader per sample."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from plimsoll_service.engine.datasets_images import IMAGE_DATASETS
from plimsoll_service.engine.datasets_text import TEXT_DATASETS
from plimsoll_service.engine.known_dataset import KnownDataset
from plimsoll_service.engine.models.families import FAMILIES, JPEG_BYTES, Data, family_of
from plimsoll_service.engine.names import key

__all__ = [
    "BYTES_PER_SAMPLE", "DATASETS", "DATA_FORMATS", "DECODERS", "PLAIN_FAMILIES", "DataFormat", "Decoder",
    "KnownDataset",
    "bytes_per_sample", "core_seconds_per_sample", "find", "size_of", "suggest",
]  # fmt: skip


DATASETS: tuple[KnownDataset, ...] = (*IMAGE_DATASETS, *TEXT_DATASETS)


@dataclass(frozen=True)
class Decoder:
    """What one core spends on bringing stored bytes into a batch, in seconds a byte and a sample."""

    seconds_per_byte: float
    seconds_per_sample: float
    source: str


@dataclass(frozen=True)
class DataFormat:
    """A storage format: its size relative to plain files of the same data, how it is decoded and read."""

    size_factor: float  # stored bytes per byte of the customary files (JPEG for images, text, WAV)
    decoder: str
    sequential: bool  # read in large pieces; else one request a sample
    source: str


# JPEG images a second and core. Tuned loaders (DALI): throughput study, section 4, cap of real-data runs. Stock ones
# (Pillow: decode, random crop, flip, to array): own measurement of 2026-11-21, 612/s on a core 1.5 times the reference.
_IMAGES_PER_CORE, _IMAGES_PER_CORE_STOCK = 700.0, 410.0
_RECORD_BYTES = 240e9 / 1_281_167  # ImageNet's mean LMDB record (S3-01)
# S3-07: 2 vCPUs (one core of an E5-2682 v4, 0.8 of the reference) just feed AlexNet on a P100: modelled 6,200 a second.
_RECORDS_PER_CORE = 7800.0

DECODERS: dict[str, Decoder] = {
    "jpeg_decode": Decoder(
        1 / (_IMAGES_PER_CORE * JPEG_BYTES), 0.0, "throughput study, section 4: 700 images/s a core"
    ),
    "png_decode": Decoder(1 / (_IMAGES_PER_CORE * JPEG_BYTES), 0.0, "modelled: inflating a byte costs as a JPEG byte"),
    "raw_copy": Decoder(1 / (_RECORDS_PER_CORE * _RECORD_BYTES), 0.0, "S3-07, at a P100's AlexNet speed (modelled)"),
    "audio_features": Decoder(1 / 50e6, 0.0, "modelled: spectra of 16-bit samples at 50 MB/s a core"),
    "text_tokenise": Decoder(1 / 5e6, 0.0, "modelled: byte-pair encoding at 5 MB/s a core"),
    "csv_parse": Decoder(1 / 100e6, 0.0, "modelled: text to numbers at 100 MB/s a core"),
    "column_decode": Decoder(1 / 500e6, 0.0, "modelled: unpacked columns at 500 MB/s a core"),
    "none": Decoder(1 / 10e9, 0.0, "modelled: one copy at a core's memory speed"),
}

_IMAGENET = "S3-01 against the JPEG files of ILSVRC2012"
_LMDB_FACTOR = 240.0 / 147.9
_RECORDIO_FACTOR = 93.0 / 147.9

DATA_FORMATS: dict[str, DataFormat] = {
    "jpeg": DataFormat(1.0, "jpeg_decode", False, "files one by one"),
    "png": DataFormat(1.0, "png_decode", False, "files one by one"),
    "wav": DataFormat(1.0, "audio_features", False, "files one by one"),
    "text": DataFormat(1.0, "text_tokenise", True, "large files read through"),
    "csv": DataFormat(1.0, "csv_parse", True, "large files read through"),
    "parquet": DataFormat(0.4, "column_decode", True, "modelled: compressed columns, two fifths of the text"),
    "lmdb": DataFormat(_LMDB_FACTOR, "raw_copy", True, _IMAGENET),
    "recordio": DataFormat(_RECORDIO_FACTOR, "jpeg_decode", True, _IMAGENET + " (images made smaller)"),
    "tfrecord": DataFormat(1.0, "jpeg_decode", True, "the files' bytes in large records"),
    "webdataset": DataFormat(1.0, "jpeg_decode", True, "the files' bytes in tar archives"),
    "memory": DataFormat(1.0, "none", True, "already in the process"),
}

# Bytes of one sample in its customary files, where neither size nor data set is given.
BYTES_PER_SAMPLE: dict[str, float] = {
    **{family.name: family.sample_bytes for family in FAMILIES if family.sample_bytes is not None},
    "document": 39.8e9 / 8_013_769,  # OpenWebText's mean page
}
# Record formats hold whatever the family reads: only image families find pictures in them.
_RECORD_DECODERS: dict[Data, str] = {
    "images": "jpeg_decode", "text": "text_tokenise", "audio": "audio_features", "table": "column_decode",
}  # fmt: skip
# Whose sample it is that data of a format hold, where no model says what it reads; else images.
PLAIN_FAMILIES = {"csv": "tree", "parquet": "tree", "text": "document", "wav": "speech"}
TEXT_BYTES_PER_TOKEN = 4.5  # OpenWebText: 40 GB for 9.0 G tokens


def _index() -> dict[str, KnownDataset]:
    index: dict[str, KnownDataset] = {}
    for dataset in DATASETS:
        for spelling in {key(name) for name in (dataset.name, *dataset.aliases)}:
            if spelling in index:
                raise ValueError(f"{dataset.name} and {index[spelling].name} share the name {spelling!r}")
            index[spelling] = dataset
    return index


_BY_KEY = _index()


def find(name: str) -> KnownDataset | None:
    """The data set of that name in any usual spelling, with or without its owner, or ``None``."""
    return _BY_KEY.get(key(name)) or _BY_KEY.get(key(name.rsplit("/", 1)[-1]))


def suggest(name: str) -> tuple[str, ...]:
    """Up to three known names that look like the given one, best first."""
    near = get_close_matches(key(name), _BY_KEY, n=3)
    return tuple(dict.fromkeys(_BY_KEY[found].name for found in near))


def size_of(dataset: KnownDataset, form: str | None = None) -> float:
    """Bytes of the data set in a format: published where known, else scaled from its own format."""
    stored = dict(dataset.bytes)
    wanted = form or dataset.format
    if wanted in stored:
        return stored[wanted]
    own = stored[dataset.format] / DATA_FORMATS[dataset.format].size_factor
    return own * DATA_FORMATS[wanted].size_factor


def bytes_per_sample(family: str, form: str | None = None, tokens: float | None = None) -> float:
    """Typical stored bytes of one sample of a model family; texts by their tokens."""
    plain = BYTES_PER_SAMPLE.get(family, TEXT_BYTES_PER_TOKEN * (tokens or 1.0))
    return plain * (DATA_FORMATS[form].size_factor if form else 1.0)


def core_seconds_per_sample(form: str, stored_bytes: float, family: str = "cnn", tuned: bool = False) -> float:
    """Seconds of one reference core that the loader spends on a sample of so many stored bytes."""
    name = _decoder_for(form, family)
    decoder = DECODERS[name]
    slower = _IMAGES_PER_CORE / _IMAGES_PER_CORE_STOCK if name in ("jpeg_decode", "png_decode") and not tuned else 1.0
    return (decoder.seconds_per_sample + decoder.seconds_per_byte * stored_bytes) * slower


def _decoder_for(form: str, family: str) -> str:
    decoder = DATA_FORMATS[form].decoder
    return decoder if decoder != "jpeg_decode" or form == "jpeg" else _RECORD_DECODERS[family_of(family).data]
