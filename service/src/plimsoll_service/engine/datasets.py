"""Known data sets, and the loader's work per sample in each storage format."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine.coefficients import TWO_THREADS
from plimsoll_service.engine.models.families import FAMILIES, JPEG_BYTES, Data, family_of
from plimsoll_service.engine.names import alike, by_key, key


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


DATASETS: tuple[KnownDataset, ...] = (
    # Images.
    KnownDataset("imagenet-1k", 1_281_167, "jpeg", (("jpeg", 147.9e9), ("lmdb", 240e9), ("recordio", 93e9)),
                 "S3-01; JPEG: size of ILSVRC2012_img_train.tar (138 GiB)",
                 ("imagenet", "ilsvrc2012", "ilsvrc-2012", "imagenet1k"), validation_samples=50_000,
                 validation_bytes=(("jpeg", 6.74e9), ("lmdb", 9.4e9), ("recordio", 3.7e9))),
    KnownDataset("mnist", 60_000, "memory", (("memory", 47.04e6),),
                 "yann.lecun.com/exdb/mnist: 60,000 images of 784 bytes", (), validation_samples=10_000,
                 validation_bytes=(("memory", 7.84e6),)),
    KnownDataset("fashion-mnist", 60_000, "memory", (("memory", 47.04e6),), "arXiv 1708.07747: as MNIST",
                 ("fashionmnist",), validation_samples=10_000),
    KnownDataset("cifar-10", 50_000, "memory", (("memory", 153.65e6),),
                 "cs.toronto.edu/~kriz/cifar.html: 3,073 bytes an image", ("cifar",), validation_samples=10_000,
                 validation_bytes=(("memory", 30.73e6),), image_size=(32, 32)),
    KnownDataset("cifar-100", 50_000, "memory", (("memory", 153.7e6),),
                 "cs.toronto.edu/~kriz/cifar.html: 3,074 bytes an image", (), validation_samples=10_000,
                 image_size=(32, 32)),
    KnownDataset("coco", 118_287, "jpeg", (("jpeg", 19.3e9),), "cocodataset.org: train2017.zip (18 GiB)",
                 ("coco-2017", "coco2017", "ms-coco", "mscoco"), validation_samples=5_000,
                 validation_bytes=(("jpeg", 0.816e9),)),
    KnownDataset("places365", 1_803_460, "jpeg", (("jpeg", 112.7e9),), "places2.csail.mit.edu: train-standard, 105 GiB",
                 ("places-365",), validation_samples=36_500),
    KnownDataset("laion-subset", 6.1e6, "webdataset", (("webdataset", 6.1e6 * 2 * 4 * 64 * 64 * 4),),
                 "MLPerf training, stable_diffusion: 6.1 M images as latent moments "
                 "(2 x 4 x 64 x 64 numbers of four bytes)",
                 ("laion", "laion-400m-filtered", "laion-aesthetics"), "one image with its caption"),
    KnownDataset("em-segmentation", 30, "memory", (("memory", 7.9e6),), "ISBI 2012 challenge: 30 slices of 512 x 512",
                 ("em-segmentation-challenge", "isbi-2012")),
    # Text, sound and rows.
    KnownDataset("ptb", 929_589, "text", (("text", 5.1e6),), "S3-01; Mikolov's preparation of the Penn Treebank",
                 ("penn-treebank", "penntreebank", "penn-tree-bank"), "one word", tokens=929_589),
    KnownDataset("wikitext-2", 2_088_628, "text", (("text", 10.9e6),), "arXiv 1609.07843, table 1", (), "one word",
                 tokens=2_088_628),
    KnownDataset("wikitext-103", 103_227_021, "text", (("text", 539e6),), "arXiv 1609.07843, table 1", ("wikitext",),
                 "one word", tokens=103_227_021),
    KnownDataset("wikibooks", 3.3e9, "text", (("text", 16e9),),
                 "arXiv 1810.04805: 3,300 M words; arXiv 1907.11692: 16 GB of text",
                 ("wikipedia-bookcorpus", "bert-corpus", "wiki-books", "bookcorpus-wikipedia", "wiki-and-books"),
                 "one word", tokens=3.3e9),
    KnownDataset("wikipedia", 6_458_670, "text", (("text", 20.3e9),), "huggingface.co/datasets/wikipedia: 20220301.en",
                 ("wiki", "wikipedia-en"), "one article"),
    KnownDataset("openwebtext", 8_013_769, "text", (("text", 39.8e9),),
                 "huggingface.co/datasets/openwebtext; nanoGPT: tokens", ("owt", "openwebtext2"), "one page",
                 tokens=9.04e9),
    KnownDataset("c4", 364_868_892, "text", (("text", 806.9e9),),
                 "huggingface.co/datasets/allenai/c4 (en); arXiv 2104.08758",
                 ("common-crawl", "c4-en", "colossal-clean-crawled-corpus"), "one page", tokens=156e9),
    KnownDataset("the-pile", 211_043_181, "text", (("text", 886e9),), "arXiv 2101.00027: 825 GiB", ("pile",),
                 "one document"),
    KnownDataset("squad", 87_599, "text", (("text", 30.3e6),), "arXiv 1606.05250: train-v1.1.json",
                 ("squad-v1.1", "squad1.1"), "one question", validation_samples=10_570),
    KnownDataset("glue-mnli", 392_702, "text", (("text", 75e6),), "arXiv 1704.05426", ("mnli", "glue", "multi-nli"),
                 "one pair of sentences", validation_samples=9_815),
    KnownDataset("sst-2", 67_349, "text", (("text", 4.7e6),), "arXiv 1804.07461 (GLUE)", ("glue-sst2", "sst2"),
                 "one sentence", validation_samples=872),
    KnownDataset("imdb", 25_000, "text", (("text", 33.4e6),), "ai.stanford.edu/~amaas/data/sentiment",
                 ("imdb-reviews", "aclimdb"), "one review", validation_samples=25_000),
    KnownDataset("nietzsche", 200_285, "memory", (("memory", 600_893.0),),
                 "Keras's example text: windows of 40 characters, 3 apart, of 600,893", (), "one window"),
    KnownDataset("wmt14-en-de", 4_508_785, "text", (("text", 1.36e9),), "huggingface.co/datasets/wmt/wmt14",
                 ("wmt14", "wmt-14", "wmt16-en-de", "wmt16"), "one pair of sentences", validation_samples=3_000),
    KnownDataset("cnn-dailymail", 287_113, "text", (("text", 1.26e9),), "huggingface.co/datasets/cnn_dailymail",
                 ("cnn-dm", "cnndm"), "one article with its summary", validation_samples=13_368),
    KnownDataset("alpaca", 52_002, "text", (("text", 22.8e6),),
                 "github.com/tatsu-lab/stanford_alpaca: alpaca_data.json", ("stanford-alpaca",), "one instruction",
                 tokens=5.7e6),
    KnownDataset("librispeech", 281_241, "wav", (("wav", 110.6e9),), "openslr.org/12: 960 h at 16 kHz and 16 bits",
                 ("librispeech-960", "libri-speech"), "one utterance", validation_samples=2_703),
    KnownDataset("ljspeech", 13_100, "wav", (("wav", 3.8e9),), "keithito.com/LJ-Speech-Dataset: 23.9 h at 22.05 kHz",
                 ("ljspeech-1.1", "lj-speech"), "one clip"),
    KnownDataset("movielens-20m", 20_000_263, "csv", (("csv", 533e6),),
                 "grouplens.org/datasets/movielens/20m: ratings.csv", ("ml-20m", "movielens"), "one rating"),
    KnownDataset("criteo-1tb", 4_195_197_692, "csv", (("csv", 1.05e12), ("parquet", 671e9)),
                 "Criteo 1TB click logs: 23 training days; 40 columns of four bytes as columns",
                 ("criteo", "criteo-terabyte", "criteo-1tb-multihot"), "one impression", validation_samples=178_274_637,
                 features=39),
    KnownDataset("outbrain", 87_141_731, "csv", (("csv", 1.5e9),),
                 "kaggle.com/c/outbrain-click-prediction: clicks_train.csv", ("outbrain-click-prediction",),
                 "one advertisement shown"),
    KnownDataset("higgs", 11_000_000, "csv", (("csv", 8.04e9),), "archive.ics.uci.edu/dataset/280/higgs",
                 ("uci-higgs",), "one row", features=28),
)  # fmt: skip


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

# JPEG images a second and thread that has a core to itself. Tuned loaders (DALI): throughput study, section 4, cap of
# real-data runs of 700 a core of two threads. Stock ones (Pillow: decode, random crop, flip, to array): own measurement
# of 2026-11-21, 612/s on a core 1.5 times the reference.
_IMAGES_PER_CORE, _IMAGES_PER_CORE_STOCK = 700.0 / TWO_THREADS, 410.0
_RECORD_BYTES = 240e9 / 1_281_167  # ImageNet's mean LMDB record (S3-01)
# S3-07: 2 vCPUs (one core of an E5-2682 v4, 0.8 of the reference) just feed AlexNet on a P100: modelled 6,200 a second.
_RECORDS_PER_CORE = 7800.0 / TWO_THREADS

# One thread on AMD EPYC (Zen 4, 1.06 times the reference by its gzip rate), the least processor time of several runs:
# 400,000 rows of 20 normal numbers and 8 integers, 176 MB as text, 80 MB as Parquet and 90 MB in memory.
_TABLES = "own measurement of 2026-11-23, pandas 3.1 and PyArrow 26.0"

DECODERS: dict[str, Decoder] = {
    "jpeg_decode": Decoder(
        1 / (_IMAGES_PER_CORE * JPEG_BYTES), 0.0, "throughput study, section 4: 700 images/s a core of two threads"
    ),
    "png_decode": Decoder(1 / (_IMAGES_PER_CORE * JPEG_BYTES), 0.0, "modelled: inflating a byte costs as a JPEG byte"),
    "raw_copy": Decoder(1 / (_RECORDS_PER_CORE * _RECORD_BYTES), 0.0, "S3-07, at a P100's AlexNet speed (modelled)"),
    "audio_features": Decoder(1 / 50e6, 0.0, "modelled: spectra of 16-bit samples at 50 MB/s a core"),
    "text_tokenise": Decoder(1 / 5e6, 0.0, "modelled: byte-pair encoding at 5 MB/s a core"),
    "csv_parse": Decoder(1 / 380e6, 0.0, f"{_TABLES}: pandas.read_csv 407 MB/s"),
    "category_parse": Decoder(1 / _CATEGORIES, 0.0, f"{_TABLES}: 54 MB/s with categories as words"),
    "column_decode": Decoder(1 / 1.17e9, 0.0, f"{_TABLES}: pandas.read_parquet 1,244 MB/s"),
    "row_parse": Decoder(
        1 / 84e6,
        0.0,
        "own measurement of 2026-11-24, TensorFlow 2.21: tf.train.Example of 13 numbers and 26 integers, in "
        "batches, 6.9 µs and 616 bytes each, on one thread of the same processor",
    ),
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


TEXT_TABLE, COLUMNS = TABLES = ("csv", "parquet")
# Bytes a second that one reference core writes, as it comes and tuned; the same measurement (pandas and PyArrow).
_TABLE_WRITING = {"csv": (15.5e6, 174e6), "parquet": (203e6, 203e6)}
# Spark takes as many times the processor time of these: own measurement of 2026-11-23, Spark 4.3, CSV to Parquet with a
# schema given, processor time of its tasks: 40 MB/s of the same text.
SPARK_TABLES = 5.5
RAW_BYTES_PER_PIXEL = 3.0  # of LMDB as Caffe writes it; 256 x 256 images are 252 GB of ImageNet, S3-01 has 240 GB
# JPEG at quality 95 with Pillow, of an image of 181,000 pixels with a spectrum like nature's, on the same core: own
# measurement of 2026-11-23. Making it smaller takes time by source and result, writing it by result.
JPEG_BYTES_PER_PIXEL = 0.71
_RESIZE_S_PER_BYTE, _RESIZE_S_PER_PIXEL, _ENCODE_S_PER_PIXEL = 5.4e-9, 6.9e-9, 3.7e-9
RAW_RECORDS = ("lmdb", "memory")
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


_BY_KEY = by_key(DATASETS)


def find(name: str) -> KnownDataset | None:
    """Return the data set of that name in any usual spelling, with or without its owner, or ``None``."""
    return _BY_KEY.get(key(name)) or _BY_KEY.get(key(name.rsplit("/", 1)[-1]))


def suggest(name: str) -> tuple[str, ...]:
    """Return up to three known names similar to the given one, best first."""
    return alike(key(name), _BY_KEY)


def size_of(dataset: KnownDataset, form: str | None = None) -> float:
    """Return the bytes of the data set in a format, as published, else scaled from its own format."""
    stored = dict(dataset.bytes)
    wanted = form or dataset.format
    if wanted in stored:
        return stored[wanted]
    own = stored[dataset.format] / DATA_FORMATS[dataset.format].size_factor
    return own * DATA_FORMATS[wanted].size_factor


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


def core_seconds_per_sample(form: str, stored_bytes: float, family: str = "cnn", tuned: bool = False) -> float:
    """Return the loader's time on one reference core for a sample of so many stored bytes, in seconds."""
    name = _decoder_for(form, family)
    decoder = DECODERS[name]
    slower = 1.0 if tuned else _SLOWER_AS_IT_COMES.get(name, 1.0)
    return (decoder.seconds_per_sample + decoder.seconds_per_byte * stored_bytes) * slower


def as_columns(stored_bytes: float, name: str | None, family: str, tuned: bool) -> tuple[float, float]:
    """Return the bytes as Parquet of a table in text, and the seconds of one reference core to decode them."""
    known = find(name) if name else None
    size = stored_bytes * DATA_FORMATS[COLUMNS].size_factor / DATA_FORMATS[TEXT_TABLE].size_factor
    if known is not None:
        size = stored_bytes * size_of(known, COLUMNS) / size_of(known, TEXT_TABLE)
    return size, core_seconds_per_sample(COLUMNS, size, family, tuned)


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
