"""Form of known data sets, and the loader's work per sample in each storage format."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .models.families import FAMILIES, JPEG_BYTES, Data, family_of
from .names import alike, by_key, key


@dataclass(frozen=True)
class KnownDataset:
    """A public data set: samples and bytes of its training part, per known storage format."""

    name: str
    samples: float
    format: str  # customary one
    bytes: tuple[tuple[str, float], ...]  # (format, bytes)
    source: str
    aliases: tuple[str, ...] = ()
    sample: str = "one image"
    validation_samples: float | None = None
    validation_bytes: tuple[tuple[str, float], ...] = ()
    tokens: float | None = None  # of texts, under the customary tokeniser
    features: int | None = None  # columns of tables
    image_size: tuple[int, ...] | None = None  # of images that networks read as they are


@dataclass(frozen=True, eq=False)
class DatasetTable:
    """The known data sets, found by their usual spellings."""

    rows: tuple[KnownDataset, ...] = ()

    @cached_property
    def _by_key(self) -> dict[str, KnownDataset]:
        return by_key(self.rows)

    def find(self, name: str | None) -> KnownDataset | None:
        """Return the data set of that name in any usual spelling, with or without its owner, or ``None``."""
        return self._by_key.get(key(name)) or self._by_key.get(key(name.rsplit("/", 1)[-1])) if name else None

    def suggest(self, name: str) -> tuple[str, ...]:
        """Return up to three known names similar to the given one, best first."""
        return alike(key(name), self._by_key)


@dataclass(frozen=True)
class Decoder:
    """Time of one core to load stored bytes into a batch: seconds per byte and per sample."""

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


# Rows of a label, 13 numbers and 26 words of eight hexadecimal digits, 247 bytes each as text, with the words turned
# into numbers of table rows: 8.4 µs split and read by Python, 4.6 by PyArrow and pandas' hashes; 0.98 to parse the text
# alone. The same as Parquet takes 0.19 µs, and 0.05 as plain numbers. Processor time on the same core (2026-11-28).
_CATEGORIES_STOCK, _CATEGORIES = 27.7e6, 50.7e6

# What two threads of a core decode over one alone. Machines of 16 vCPUs at the best of 2, 4 and 8 loading processes on
# ImageNet, and one thread alone, images a second: Axion (16 cores) 2,561 and 662; of eight cores with two threads each
# EPYC 9B14 1,596 and 690, EPYC 9B45 2,920 and 864, Xeon 8581C 1,754 and 735 (ternaus/imread_benchmark@a1562a82, README,
# 2026-04-22; arXiv 2605.08731). Half of the ratios' ratio is 1.20, 1.75 and 1.23.
TWO_THREADS = 1.23
# JPEG images a second and thread that has a core to itself. Tuned loaders (DALI): throughput study, section 4, cap of
# real-data runs of 700 a core of two threads. Stock ones (Pillow: decode, random crop, flip, to array): own measurement
# of 2026-11-21, 612/s on a core 1.5 times the reference.
_IMAGES_PER_CORE, _IMAGES_PER_CORE_STOCK = 700.0 / TWO_THREADS, 410.0
# Time that an image takes a worker process of PyTorch's loader over that of a thread alone, as workers send batches to
# the trainer's process and share caches and memory: of the Axion above, whose 16 cores at most eight processes shared.
# Ten workers of timm gave an A100 192 images each (next paragraph), where 410 is a thread's alone.
SENT_BY_A_WORKER = 8 * 662 / 2561
IMAGE_FILES = ("jpeg", "png")
# Parts of a stock loader's time (Pillow 13.0, torchvision 0.29, PyTorch 2.14: decode, resize to 224, to tensor,
# normalise, collate). JPEGs of 23 to 275 KB with a spectrum like nature's, 0.6 bytes a pixel, on a thread of AMD Zen 4,
# the least processor time of seven runs: own measurement of 2026-11-28. With the random crops of training it took
# 0.94 ms an image and 14.0 µs a KB, 2.55 ms in all for ImageNet's mean file, to which 410/s belongs; where the whole
# image is made smaller, as before inference, 18.9 µs a KB (bicubic, as CLIP's: 24.3). Decoded, cropped, resized and
# normalised in Pillow and NumPy alone, images of 500 x 375 pixels and 112 KB took it 2.44 ms. Ten workers of timm gave
# an A100 1,923 images a second, 192 each (huggingface/pytorch-image-models issue 1491, 2022-10-10).
_FIXED, _RESIZED_WHOLE = 0.94e-3 / 2.55e-3, 18.9 / 14.0  # share of ImageNet's mean image; time by size over a crop's
_RECORD_BYTES = 240e9 / 1_281_167  # ImageNet's mean LMDB record (S3-01)
# S3-07: 2 vCPUs (one core of an E5-2682 v4, 0.8 of the reference) just feed AlexNet on a P100: modelled 6,200 a second.
_RECORDS_PER_CORE = 7800.0 / TWO_THREADS

# One thread on AMD EPYC (Zen 4, 1.06 times the reference by its gzip rate), the least processor time of several runs:
# 400,000 rows of 20 normal numbers and 8 integers, 176 MB as text, 80 MB as Parquet and 90 MB in memory.
_TABLES = "own measurement of 2026-11-23, pandas 3.1 and PyArrow 26.0"
_EXAMPLES = (
    "own measurement of 2026-11-24, TensorFlow 2.21: tf.train.Example of 13 numbers and 26 integers, in batches, 6.9 µs"
    " and 616 bytes each, on one thread of the same processor"
)

_IMAGE = (1 - _FIXED) / (_IMAGES_PER_CORE * JPEG_BYTES), _FIXED / _IMAGES_PER_CORE  # seconds a byte and a sample
DECODERS: dict[str, Decoder] = {
    "jpeg_decode": Decoder(
        *_IMAGE, "throughput study, section 4: 700 images/s a core of two threads; parts as of stock loaders"
    ),
    "png_decode": Decoder(*_IMAGE, "modelled: inflating a byte costs as a JPEG byte"),
    "raw_copy": Decoder(1 / (_RECORDS_PER_CORE * _RECORD_BYTES), 0.0, "S3-07, at a P100's AlexNet speed (modelled)"),
    "audio_features": Decoder(1 / 50e6, 0.0, "modelled: spectra of 16-bit samples at 50 MB/s a core"),
    "text_tokenise": Decoder(1 / 5e6, 0.0, "modelled: byte-pair encoding at 5 MB/s a core"),
    "csv_parse": Decoder(1 / 380e6, 0.0, f"{_TABLES}: pandas.read_csv 407 MB/s"),
    "category_parse": Decoder(1 / _CATEGORIES, 0.0, f"{_TABLES}: 54 MB/s with categories as words"),
    "column_decode": Decoder(1 / 1.17e9, 0.0, f"{_TABLES}: pandas.read_parquet 1,244 MB/s"),
    "row_parse": Decoder(1 / 84e6, 0.0, _EXAMPLES),
    "none": Decoder(1 / 10e9, 0.0, "modelled: one copy at a core's memory speed"),
}

# Time of stock loaders over that of tuned ones.
_SLOWER_AS_IT_COMES = {
    "jpeg_decode": _IMAGES_PER_CORE / _IMAGES_PER_CORE_STOCK,
    "png_decode": _IMAGES_PER_CORE / _IMAGES_PER_CORE_STOCK,
    "category_parse": _CATEGORIES / _CATEGORIES_STOCK,
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
    "array": DataFormat(1.0, "none", False, "numbers as they are, such as NumPy's files or volumes of a scanner"),
    "memory": DataFormat(1.0, "none", True, "already in the process"),
}

FILE_A_SAMPLE = ("jpeg", "png", "wav")  # formats of which each sample is an object in storage; the others pack many

# Bytes of one sample in its customary files, where neither size nor data set is given.
BYTES_PER_SAMPLE: dict[str, float] = {
    **{family.name: family.sample_bytes for family in FAMILIES if family.sample_bytes is not None},
    "document": 39.8e9 / 8_013_769,  # OpenWebText's mean page
}
# Record formats hold whatever the family reads: only image families find pictures in them.
_RECORD_DECODERS: dict[Data, str] = {
    "images": "jpeg_decode", "text": "text_tokenise", "audio": "audio_features", "table": "row_parse",
}  # fmt: skip
# Whose sample it is that data of a format hold, where no model says what it reads; else images.
PLAIN_FAMILIES = {"csv": "tree", "parquet": "tree", "text": "document", "wav": "speech"}
# Units of texts that models read one after another, in sequences that are full (arXiv 1910.10683, section 3.1.2: T5
# packs examples; arXiv 1907.11692, section 4.2: RoBERTa fills its inputs across documents).
RUNNING_TEXTS = ("one word", "one article", "one page", "one document")
# Units whose bytes are their own; questions share their paragraphs.
OWN_TEXTS = ("one sentence", "one pair of sentences", "one review")
TEXT_BYTES_PER_TOKEN = 4.5  # OpenWebText: 40 GB for 9.0 G tokens


# Arrays of text hold its tokens. Engines of tables write texts as they are: lines of text became Parquet at 129, 175 or
# 269 MB/s of processor time (PyArrow 26.0 from lines, and from JSON with Python's parser and its own; one pinned core,
# 100 MB of documentation), which is about what Parquet's writing takes by itself: own measurement of 2026-11-29.
# Hugging Face's tokenizers 0.23.3 on the same processor: byte-pair encoding at 1.8 to 2.2 MB/s of a thread.
TRANSFORMERS, _TRANSFORMERS_TOKENISING = "huggingface", 1.8e6
# A row of an array that fills a page or more is a request of its own; loaders take batches of shorter rows in one
# piece, as TorchRec's of .npy files do (pytorch/torchrec, datasets/criteo.py, InMemoryBinaryCriteoIterDataPipe).
PAGE_BYTES = 4096.0
TEXT, TOKENS, TABLE_ENGINES = "text", "array", ("spark", "dask", "polars", "pandas")
TEXT_TABLE, COLUMNS = TABLES = ("csv", "parquet")
# Bytes a second that one reference core writes, as it comes and tuned. Text: the same measurement (pandas and PyArrow).
# Parquet: what CSV to Parquet took beside parsing, over the bytes that are assumed of the result. Own measurement of
# 2026-11-28, pandas 3.1.1 and PyArrow 26.0.1, snappy, one pinned core of the same processor, the least processor time
# of three runs over 58 to 130 MB, in MB/s of text: 20 normal numbers in full and 8 integers; 28 numbers of five
# decimals; orders of 16 columns (numbers, dates, words); a web server's log (two identifiers, addresses, paths). pandas
# in chunks of 200,000 rows 165, 74, 144, 147 (its parsing alone 431, 270, 399, 739); PyArrow's data sets 119, 80, 122,
# 131, its table at once 107, 69, 150, 141, its stream 103, 65, 102, 117; Polars 2.1's stream 293 and 174 on the first
# two. The geometric mean of pandas, which PyArrow's is near; a tuned converter runs one such process a core.
_TABLE_WRITING = {"csv": (15.5e6, 174e6), "parquet": (68e6, 68e6)}
# Spark takes as many times the processor time of these: own measurement of 2026-11-23, Spark 4.3, CSV to Parquet with a
# schema given, processor time of its tasks: 40 MB/s of the first of these texts.
SPARK_TABLES = 3.0
RAW_BYTES_PER_PIXEL = 3.0  # of LMDB as Caffe writes it; 256 x 256 images are 252 GB of ImageNet, S3-01 has 240 GB
# JPEG at quality 95 with Pillow, of an image of 181,000 pixels with a spectrum like nature's, on the same core: own
# measurement of 2026-11-23. Making it smaller takes time by source and result, writing it by result.
JPEG_BYTES_PER_PIXEL = 0.71
PNG_BYTES_PER_PIXEL = 2.4  # of such an image of 1024 pixels a side with Pillow: own measurement of 2026-11-29
_RESIZE_S_PER_BYTE, _RESIZE_S_PER_PIXEL, _ENCODE_S_PER_PIXEL = 5.4e-9, 6.9e-9, 3.7e-9
PIXELS = "memory"
RAW_RECORDS = ("lmdb", PIXELS)
# Images of up to this side come as arrays of all pixels and not as files: CIFAR (cs.toronto.edu/~kriz/cifar.html) and
# ImageNet at 16, 32 and 64 (arXiv 1707.08819, the files of image-net.org/download-images).
SMALL_SIDE = 64
# Of a reference core after the model: 8,400 places of 80 classes, of which 300 remain after the threshold, and
# non-maximum suppression took 1.54 ms (torch 2.13, OpenCV): own measurement of 2026-11-23, a thread on AMD Zen 4.
AFTER_SECONDS = {"detection": 1.63e-3}
# Of a reference core to crop, turn and scale volumes of one channel for training as they come, by nnU-Net's defaults
# (MIC-DKFZ/nnUNet@017de4a, nnUNetTrainer.get_training_transforms): 0.57 s of a thread on AMD Zen 4 for 128 a side, the
# mean of 120 (batchgenerators 0.25.1, cubic splines). So its 12 processes feed an A100, which takes 11.0 a second
# (mlcommons/storage@7e73663b). With batchgeneratorsv2 (linear) it was 0.17 s. Own measurement of 2026-11-23, by the
# processor's time.
AUGMENTING_S_PER_VOXEL = 0.60 / 128**3
# Of a reference core to make shuffled batches of a table's rows for training as they come, beside decoding: rows of 40
# integers of four bytes took 0.74 µs to be put into tensors and picked at random (PyArrow, PyTorch 2.14), and 0.19 µs
# to be decoded from Parquet. Own measurement of 2026-11-24, processor time of a thread on the same processor.
SHUFFLING_S_PER_BYTE = 0.78e-6 / 160


def size_of(dataset: KnownDataset, form: str | None = None) -> float:
    """Return the bytes of the data set in a format, as published, else scaled from its own format."""
    stored, wanted = dict(dataset.bytes), form or dataset.format
    if wanted in stored:
        return stored[wanted]
    return stored[dataset.format] / DATA_FORMATS[dataset.format].size_factor * DATA_FORMATS[wanted].size_factor


def tokens_of(dataset: KnownDataset) -> float | None:
    """Return the tokens of the texts: as published, else by their bytes; ``None`` where it holds no texts."""
    if dataset.tokens is not None or dataset.format != "text":
        return dataset.tokens
    return size_of(dataset, "text") / TEXT_BYTES_PER_TOKEN


def sequences_of(dataset: KnownDataset, length: int | None) -> float | None:
    """Return how many sequences of that length a running text fills; ``None`` where samples stand for themselves."""
    tokens = tokens_of(dataset)
    if dataset.sample not in RUNNING_TEXTS or tokens is None or not length:
        return None
    return max(1.0, float(round(tokens / length)))


def bytes_per_sample(family: str, form: str | None = None, tokens: float | None = None) -> float:
    """Return the typical stored bytes of one sample of a model family; of texts, by their tokens."""
    plain = BYTES_PER_SAMPLE.get(family, TEXT_BYTES_PER_TOKEN * (tokens or 1.0))
    return plain * (DATA_FORMATS[form].size_factor if form else 1.0)


def core_seconds_per_sample(
    form: str, stored_bytes: float, family: str = "cnn", tuned: bool = False, whole: bool = False
) -> float:
    """Return the loader's time on one reference core for a sample of so many stored bytes, in seconds.

    ``whole``: a stock loader makes all of an image smaller, as before inference, where training takes a crop.
    """
    name = _decoder_for(form, family)
    decoder = DECODERS[name]
    slower = 1.0 if tuned else _SLOWER_AS_IT_COMES.get(name, 1.0)
    longer = _RESIZED_WHOLE if whole and not tuned and decoder.seconds_per_sample else 1.0
    return (decoder.seconds_per_sample + decoder.seconds_per_byte * longer * stored_bytes) * slower


def as_columns(stored_bytes: float, known: KnownDataset | None, family: str, tuned: bool) -> tuple[float, float]:
    """Return the bytes as Parquet of a table in text, and the seconds of one reference core to decode them."""
    size = stored_bytes * DATA_FORMATS[COLUMNS].size_factor / DATA_FORMATS[TEXT_TABLE].size_factor
    if known is not None:
        size = stored_bytes * size_of(known, COLUMNS) / size_of(known, TEXT_TABLE)
    return size, core_seconds_per_sample(COLUMNS, size, family, tuned)


def is_sequential(form: str, stored_bytes: float) -> bool:
    """Return whether samples of so many bytes are read in large pieces: also rows of an array, short of a page each."""
    return DATA_FORMATS[form].sequential or (form == TOKENS and stored_bytes < PAGE_BYTES)


def tokenising_rate(framework: str) -> float:
    """Return the bytes of text a second that one reference core tokenises in that framework."""
    return _TRANSFORMERS_TOKENISING if framework == TRANSFORMERS else 1 / DECODERS["text_tokenise"].seconds_per_byte


def tokenises(form: str, target: str | None, library: str) -> bool:
    """Return whether a conversion makes tokens of texts: all but what engines of tables write as it is."""
    return form == TEXT and (target == TOKENS or library not in TABLE_ENGINES)


def copied_seconds(stored_bytes: float) -> float:
    """Return the seconds of one reference core to take so many bytes as they are."""
    return DECODERS["none"].seconds_per_byte * stored_bytes


def table_writing(form: str, written_bytes: float, tuned: bool) -> float:
    """Return the seconds of one reference core to write so many bytes of a table; 0 for records, which are copied."""
    return written_bytes / _TABLE_WRITING[form][tuned] if form in _TABLE_WRITING else 0.0


def bytes_per_pixel(form: str) -> float:
    """Return the bytes written for each pixel of an image: raw, or as JPEG."""
    return RAW_BYTES_PER_PIXEL if form in RAW_RECORDS else JPEG_BYTES_PER_PIXEL


def image_writing(form: str, read_bytes: float, pixels: float) -> float:
    """Return the seconds of one reference core to make a decoded image that size, and to write it."""
    encoding = 0.0 if form in RAW_RECORDS else _ENCODE_S_PER_PIXEL * pixels
    return _RESIZE_S_PER_BYTE * read_bytes + _RESIZE_S_PER_PIXEL * pixels + encoding


def _decoder_for(form: str, family: str) -> str:
    decoder = DATA_FORMATS[form].decoder
    if form == TEXT_TABLE and family == "recommender":  # its categories are words
        return "category_parse"
    return decoder if decoder != "jpeg_decode" or form == "jpeg" else _RECORD_DECODERS[family_of(family).data]
