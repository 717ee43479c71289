"""Data of a job: number and size of samples, format, passes."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

from .. import datasets
from ..frameworks import RECORDS, Framework
from ..models.families import OTHER_EPOCHS, family_of
from ..models.profile import ModelProfile, Reference
from ..units import BYTES, GB, GIB, GIGA, SECONDS_PER_HOUR
from ..workload import Dataset, Workload
from . import kind
from .filling import Filling, changed
from .job import Feed, tokens_per_sample
from .requests import HTTP_US, bring_rows, somebody_waits
from .sample_meaning import TRAINED_ON_PAIRS

NO_END = float("nan")
VALUE_BYTES = 8.0  # of a table's value before it is compressed
DEFAULT_SAMPLES = 1e6  # of data that nobody describes: about as many as ImageNet has
LARGE_CORPUS_TOKENS = 1e9  # pre-training size; fine-tuning sets are a thousand times smaller
TOKENS_PER_PARAMETER = 20.0  # Hoffmann et al. 2022
PREPROCESSED = "imagenet-1k"
VOLUME_SIDES, VOLUME_FORMAT, VOXEL_BYTES = 3, "array", 4.0  # scanners' volumes are read as arrays, in fp32
# A trainer that plans patches and batch for one device, whose epochs are steps and no passes over the data; its own
# number of them (MIC-DKFZ/nnUNet@v2.3.1, nnUNetTrainer.py, 2024).
PLANS_PATCHES, PLANNED_STEPS, PLANNED_EPOCHS = "nnunet", 250.0, 1000.0
OUTPUT_FORMAT, FILES_FORMAT, TABLE_FORMAT = "lmdb", "webdataset", "parquet"
AUDIO_BYTES_PER_SECOND = 16_000 * 2.0  # of WAV: 16 bits at 16 kHz, which speech models take (openslr.org/12)
PLAIN_TEXTS = ("text", "csv", "parquet")  # whose bytes say how many tokens they hold
# Models of proteins and the like take one token a letter, of so few: ESM-2 has 33 tokens, 20 of which are the usual
# amino acids (config.json and vocab.txt of facebook/esm2_t33_650M_UR50D, read 2026-11-28).
LETTERS, LETTER_BYTES = 256, 1.0
HALF = 0.5  # of the tokens; 4.5 bytes per token is a mean, and languages differ by less
# A value at the peak of pandas.read_csv (3.1.1; 1 million rows of 80 columns with five decimals: 1.83 GiB over the
# interpreter, three times the frame), and the peak of read_parquet over its columns, which keep their types (2 million
# rows of 80 columns of 8 bytes: 3.95 GiB). Own measurements of 2026-11-23 and 2026-11-28.
FRAME_READ_BYTES, PARQUET_READ = 24.6, 3.3
READ_AT_ONCE = {"csv": FRAME_READ_BYTES / VALUE_BYTES, "parquet": PARQUET_READ}  # over the stored bytes
# A larger peak no machine of the clouds' general series holds (m7i.48xlarge and the like in the catalog).
READ_IN_PARTS_GIB = 768.0
# Items without a rating that are drawn anew for each rating of an epoch (He et al. 2017, arXiv 1708.05031, section 4.1;
# NVIDIA/DeepLearningExamples@05ee9863, PyTorch/Recommendation/NCF/ncf.py: negative_samples, whose rates count both).
NEGATIVE_SAMPLING, NEGATIVES = "ncf", 4.0
# Passes of linear models by the library (apache/spark: LogisticRegression.scala, maxIter), and the time of others that
# Spark takes to read text.
LINEAR_PASSES = {"spark": (100.0, "Spark's maxIter unless you set it; state epochs if it converges sooner")}
ANY_LINEAR_PASSES = OTHER_EPOCHS, "passes until a linear model converges"
SPARK_READING = {("spark", "csv"): datasets.SPARK_TABLES}
TABLE_ROWS, TABLE_FEATURES = 11_000_000.0, 28  # HIGGS


# Starts of names of encoders that are published to embed texts (evidence/known_models/embedders.csv).
EMBEDDING = ("bge-", "e5-", "multilingual-e5-", "gte-", "stella-", "all-", "paraphrase-", "labse", "distiluse-")
SCORING = ("rerank", "ms-marco")  # in the names of encoders that give a pair of texts one score


@dataclass(frozen=True)
class Flow:
    """Samples to process in one run (NaN without an end), and the input work of each."""

    samples: float
    feed: Feed | None
    answer_bytes: float = 0.0  # of all texts that are generated, or pictures that are drawn


def flow(filling: Filling, what: str, profile: ModelProfile | None, serves: bool = False) -> Flow:
    """Return the data of the job; fill omitted data set, epochs and tokens. ``serves``: requests without an end."""
    if what == kind.HPC:
        flops = filling.workload.flops
        return Flow(NO_END if flops is None else flops / GIGA, None)
    if what == kind.SERVING:
        asked = filling.workload
        written = asked.tokens or (asked.requests or 1.0) * float(asked.output_tokens or 1)
        return Flow(NO_END, None) if serves else Flow(written, None, written * datasets.TEXT_BYTES_PER_TOKEN)
    if what == kind.INFERENCE and profile is not None and not serves:
        return _requests(filling, profile)
    if what == kind.TOKEN_TRAINING or (what == kind.SAMPLE_TRAINING and filling.workload.tokens is not None):
        return _tokens(filling, profile)
    if what == kind.INFERENCE and filling.workload.dataset == Workload(task="inference").dataset:
        if profile is not None and profile.audio_seconds is not None:
            longer = "count longer audio as several requests; state hours_of_audio for a job"
            why = f"one request is one sample of the model; {longer}"
            filling.note("audio_seconds", float(f"{profile.audio_seconds:.3g}"), why)
        return Flow(NO_END, None if profile is None else _carried(filling, profile))
    if what in (kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE):
        return _table(filling, what, serves)
    return _samples(filling, what, profile)


def _carried(filling: Filling, profile: ModelProfile) -> Feed | None:
    """Images that requests of a stated load or target bring, which the host decodes, or rows over HTTP."""
    workload, family = filling.workload, family_of(_read_family(profile))
    made = profile.reference.steps is not None or len(profile.reference.image_size or ()) == VOLUME_SIDES
    stored = datasets.bytes_per_sample(family.name, family.data_format)
    if bring_rows(workload, profile):
        seconds = HTTP_US * 1e-6 / float(workload.batch_size or 1)
        return Feed(1.0, stored, 1.0, "memory", seconds, True)
    if family.data != "images" or made or not somebody_waits(workload):
        return None
    filling.note("dataset.format", family.data_format, "requests bring such files, which the host's processor decodes")
    return Feed(1.0, stored, 1.0, "memory", _read_seconds(filling, family.data_format, stored, family.name), True)


def _read_seconds(filling: Filling, form: str, stored: float, family: str) -> float:
    """Seconds of a reference core before and after the model: the sample is decoded, and its boxes are filtered."""
    tuned = filling.workload.tuning == "tuned"
    before = datasets.core_seconds_per_sample(form, stored, family, tuned, whole=True)
    return before + datasets.AFTER_SECONDS.get(family, 0.0)


def _requests(filling: Filling, profile: ModelProfile) -> Flow:
    """Data of inference with an end: so many samples, read once, each as large as its input."""
    dataset = filling.workload.dataset
    samples = _requested(filling, profile)
    described = dataset.name is not None or dataset.size_bytes is not None or dataset.format is not None
    drawn = samples * _picture_bytes(profile)
    if profile.reference.steps is not None and not described:
        return Flow(samples, None, drawn)  # made from a prompt
    family, small = _read_family(profile), _small_images(filling, profile)
    form = _format(filling, family, *(() if small is None else (datasets.PIXELS, small.why)))
    seconds, length, known = profile.audio_seconds, profile.reference.sequence_length, filling.known
    each = seconds * AUDIO_BYTES_PER_SECOND if seconds is not None else None if small is None else small.bytes
    if known is not None:
        each = datasets.size_of(known, form) / _held(known, length)[0]
    stored = dataset.size_bytes or samples * (each or datasets.bytes_per_sample(family, form, length))
    if dataset.size_bytes is None:
        fill_dataset(filling, "size_bytes", stored, "the samples × their typical size in this format")
    core = _read_seconds(filling, form, stored / samples, family)
    written = samples * _vector_bytes(filling, profile)
    feed = Feed(samples, stored, 1.0, form, core, datasets.DATA_FORMATS[form].sequential, written)
    return Flow(samples, feed, drawn)


def _picture_bytes(profile: ModelProfile) -> float:
    """Bytes of a drawn picture as a PNG file; clips are compressed as they are written, to far less."""
    reference = profile.reference
    drawn = reference.steps is not None and reference.frames is None and len(reference.image_size or ()) < VOLUME_SIDES
    return _pixels(reference.image_size) * datasets.PNG_BYTES_PER_PIXEL if drawn and reference.image_size else 0.0


def _vector_bytes(filling: Filling, profile: ModelProfile) -> float:
    """Bytes of the vector that a text becomes by an embedder, or in an engine of such: fp32, as wide as the layers."""
    embeds = filling.framework.packs_texts or filling.spelled in TRAINED_ON_PAIRS or profile.name.startswith(EMBEDDING)
    embeds = embeds or "embed" in profile.name
    scores = any(word in profile.name for word in SCORING)
    if not embeds or scores or profile.family != "encoder" or profile.transformer is None:
        return 0.0
    return BYTES["fp32"] * profile.transformer.hidden_size


def _requested(filling: Filling, profile: ModelProfile) -> float:
    """Samples of inference with an end; noted where they follow from tokens or hours."""
    workload = filling.workload
    if workload.hours_of_audio is not None and profile.audio_seconds is not None:
        samples = workload.hours_of_audio * SECONDS_PER_HOUR / profile.audio_seconds
        filling.note("dataset.samples", samples, f"hours_of_audio in pieces of {profile.audio_seconds:.3g} s")
    elif workload.tokens is not None:
        samples = workload.tokens / tokens_per_sample(profile)
        filling.note("dataset.samples", samples, f"tokens ÷ {tokens_per_sample(profile):g} per sample")
    else:
        samples = workload.requests or workload.dataset.samples or _in_data(filling, profile)
    return max(samples, 1.0)


def _in_data(filling: Filling, profile: ModelProfile) -> float:
    """Samples of data that a query names, or gives the size of."""
    dataset, family, known = filling.workload.dataset, _read_family(profile), filling.known
    if known is not None and dataset.size_bytes is None:
        samples, why = _held(known, profile.reference.sequence_length)
    else:
        form = _format(filling, family)
        each = datasets.bytes_per_sample(family, form, profile.reference.sequence_length)
        samples, why = (dataset.size_bytes or each) / each, "the size ÷ the typical size of a sample"
    fill_dataset(filling, "samples", float(round(samples)), why)
    return samples


def _read_family(profile: ModelProfile) -> str:
    """Family whose data the model reads: image transformers read what convolutional networks read."""
    images = profile.reference.image_size is not None and family_of(profile.family).data != "images"
    return "cnn" if images else profile.family


def _samples(filling: Filling, what: str, profile: ModelProfile | None) -> Flow:
    """Data counted in samples, by known name, size, number, or the model's usual data set."""
    _name_dataset(filling, what, profile)
    family, reference = ("cnn", Reference()) if profile is None else (_read_family(profile), profile.reference)
    sides = reference.image_size or ()
    voxels = float(prod(sides)) * VOXEL_BYTES if len(sides) == VOLUME_SIDES else None
    small = None if profile is None or what == kind.PREPROCESSING else _small_images(filling, profile)
    customary = (None if voxels is None else VOLUME_FORMAT, USUAL_FORMAT if reference.frames is None else CLIPS)
    form = _format(filling, family, *(customary if small is None else (datasets.PIXELS, small.why)))
    if profile is None:
        family = datasets.PLAIN_FAMILIES.get(form, family)
    length, each = reference.sequence_length, voxels if small is None else small.bytes
    samples, stored = _amount(filling, family, form, length, validation=what == kind.INFERENCE, each=each)
    passes = 1.0
    if what == kind.SAMPLE_TRAINING:
        passes = _passes(filling, reference, family, samples)
    written = 0.0
    if what == kind.PREPROCESSING:
        filling.take("output_format", *_records(filling.framework, form))
        written = _written(filling, samples, stored, form)
    tuned = filling.workload.tuning == "tuned"
    row = stored / samples
    if what == kind.SAMPLE_TRAINING and profile is not None and profile.name == NEGATIVE_SAMPLING:
        samples = _with_negatives(filling, samples)
    core = datasets.core_seconds_per_sample(form, stored / samples, family, tuned)
    if what == kind.SAMPLE_TRAINING and not tuned:
        if filling.framework.library == "pytorch" and form in datasets.IMAGE_FILES:  # decoded by the loader's processes
            core *= datasets.SENT_BY_A_WORKER
        core += _preparing(form, row, voxels)
    if what == kind.INFERENCE:
        core = _read_seconds(filling, form, stored / samples, family)
    if what == kind.PREPROCESSING:
        core = _converting(filling, form, core, row, written / samples)
    feed = Feed(samples, stored, passes, form, core, datasets.is_sequential(form, stored / samples), written)
    end = samples * passes if what != kind.INFERENCE else NO_END
    return Flow(end, feed)


def _converting(filling: Filling, form: str, decoding: float, read: float, written: float) -> float:
    """Seconds of one reference core to convert a sample: to decode or tokenise it, and to write it."""
    workload, framework = filling.workload, filling.framework
    core, tokens = decoding, datasets.tokenises(form, workload.output_format, framework.library)
    if form == datasets.TEXT:
        core = read / datasets.tokenising_rate(framework.name) if tokens else datasets.copied_seconds(read)
    core += _writing(workload, read, written, workload.tuning == "tuned")
    plain = form in (*datasets.TABLES, datasets.TEXT) and not tokens
    return core * (datasets.SPARK_TABLES if plain and framework.library == "spark" else 1.0)


def _with_negatives(filling: Filling, positives: float) -> float:
    """Pairs of an epoch over a known log of ratings: each, and those that the script draws beside it."""
    if filling.known is None or not any(one.field == "dataset.samples" for one in filling.assumptions):
        return positives
    pairs = positives * (1 + NEGATIVES)
    why = f"each rating, and {NEGATIVES:.0f} items that were not rated, drawn for it"
    filling.note("samples_per_epoch", pairs, why)
    return pairs


class SmallImages(NamedTuple):
    """Bytes of one of the small images that a model reads as they are, and why they are taken to be held so."""

    bytes: float
    why: str


def _small_images(filling: Filling, profile: ModelProfile) -> SmallImages | None:
    """What is known of undescribed images that are too small for files: those of the model's own data, else pixels."""
    sides, dataset = profile.reference.image_size, filling.workload.dataset
    own = filling.coefficients.datasets.find(profile.default_dataset)
    described = dataset.name is not None or None not in amounts_of(dataset)
    if described or sides is None or len(sides) == VOLUME_SIDES or max(sides) > datasets.SMALL_SIDE:
        return None
    if own is not None and own.format == datasets.PIXELS and own.image_size in (None, sides):
        return SmallImages(datasets.size_of(own) / own.samples, f"as {own.name} holds its images")
    each = _pixels(sides) * datasets.RAW_BYTES_PER_PIXEL
    return SmallImages(each, "images of that size are kept as arrays of pixels")


def _passes(filling: Filling, reference: Reference, family: str, samples: float) -> float:
    """Passes over the samples; the epochs, unless the program counts these in steps."""
    planned = planned_batch(filling, reference)
    if planned is not None:
        filling.take("epochs", PLANNED_EPOCHS, "the number that nnU-Net takes unless told otherwise")
    filling.take("epochs", *_customary_epochs(filling.known, family))
    epochs = float(filling.workload.epochs or 1.0)
    if planned is None:
        return epochs
    patches = PLANNED_STEPS * (filling.workload.global_batch_size or filling.workload.batch_size or planned)
    why = f"an epoch of nnU-Net has {PLANNED_STEPS:.0f} steps, whatever the number of samples"
    filling.note("samples_per_epoch", patches, why)
    return epochs * patches / samples


def planned_batch(filling: Filling, reference: Reference) -> float | None:
    """Patches of a step in the plans of nnU-Net; ``None`` with other programs."""
    if filling.spelled != PLANS_PATCHES:
        return None
    volumes = len(reference.image_size or ()) == VOLUME_SIDES
    return filling.coefficients.batch_limits["volumes_by_plan" if volumes else "images_by_plan"].samples


def _customary_epochs(known: datasets.KnownDataset | None, family: str) -> tuple[float, str]:
    """Default number of passes, and its reason: one for a large corpus, else the family's schedule."""
    if known is not None and is_corpus(known):
        return 1.0, "a corpus of this size is usually read once"
    customary = family_of(family)
    return customary.epochs, customary.epochs_why


def _name_dataset(filling: Filling, what: str, profile: ModelProfile | None) -> None:
    """Fill in the model's usual data set if the query does not describe the data."""
    dataset = filling.workload.dataset
    if dataset.name is not None or amounts_of(dataset) != (None, None):
        return
    default = PREPROCESSED if what == kind.PREPROCESSING or profile is None else profile.default_dataset
    if default is not None:
        filling.put(dataset=changed(dataset, name=default))
        filling.note("dataset.name", default, "you described no data; this is the usual data set for the model")


USUAL_FORMAT = "the usual format for such data"
CLIPS = (
    "videos have no format here; each clip counts as one file of the usual size of an image; "
    "state dataset.size if clips are larger"
)


def _format(filling: Filling, family: str, customary: str | None = None, why: str = USUAL_FORMAT) -> str:
    """Format of the data; ``customary``: that of the model, where its family's is another."""
    dataset = filling.workload.dataset
    if dataset.format is not None:
        return dataset.format
    known = filling.known
    form = known.format if known is not None else customary or family_of(family).data_format
    filling.put(dataset=changed(dataset, format=form))
    filling.note("dataset.format", form, "the format of the data set" if known is not None else why)
    return form


def _amount(
    filling: Filling, family: str, form: str, length: int | None, validation: bool = False, each: float | None = None
) -> tuple[float, float]:
    """Samples and stored bytes; a missing one follows from the other, or from the known name.

    Inference reads the ``validation`` part of a known data set, as in S3-07.
    """
    known, (samples, size) = filling.known, amounts_of(filling.workload.dataset)
    each = each or datasets.bytes_per_sample(family, form, length)
    if known is not None:
        held, why = _held(known, length)
        each = datasets.size_of(known, form) / held
        if samples is None and size is None:
            samples = held
            if validation and known.validation_samples is not None:
                samples, why = float(known.validation_samples), "from the validation part of the data set"
                size = dict(known.validation_bytes).get(form)
            fill_dataset(filling, "samples", samples, why)
            if size is not None:
                fill_dataset(filling, "size_bytes", size, why)
    if samples is None:
        samples, why = DEFAULT_SAMPLES, "you described no data; one million samples are assumed"
        if size is not None:
            samples, why = max(1.0, size / each), "the size ÷ the typical size of a sample"
        fill_dataset(filling, "samples", round(samples), why)
    if size is None:
        size = samples * each
        fill_dataset(filling, "size_bytes", size, "the samples × their typical size in this format")
    return max(samples, 1.0), max(size, 1.0)


def _held(known: datasets.KnownDataset, length: int | None) -> tuple[float, str]:
    """Samples of a known data set as a model reads them, and their reason: a running text fills its sequences."""
    sequences = datasets.sequences_of(known, length)
    plain = float(known.samples), "from the data set"
    return plain if sequences is None else (sequences, "tokens of the data set ÷ sequence_length")


def is_corpus(known: datasets.KnownDataset) -> bool:
    """Whether a known data set has as many tokens as models are trained on from scratch."""
    return (datasets.tokens_of(known) or 0.0) >= LARGE_CORPUS_TOKENS


def amounts_of(dataset: Dataset) -> tuple[float | None, float | None]:
    """Samples and bytes of a data set, as stated."""
    return dataset.samples, dataset.size_bytes


def fill_dataset(filling: Filling, name: str, value: float, why: str) -> None:
    """Fill in the number of samples, or ``size_bytes``, of the data set."""
    filled: dict[str, Any] = {name: float(value)}
    filling.put(dataset=changed(filling.workload.dataset, **filled))
    shown = f"{value / GB:.4g}GB" if name == "size_bytes" else value
    filling.note(f"dataset.{name.removesuffix('_bytes')}", shown, why)


def _records(framework: Framework, form: str) -> tuple[str, str]:
    """Default format to write, and its reason: the framework's, else that of prepared images, or of tables."""
    if framework.library in RECORDS:
        return RECORDS[framework.library]
    if form in datasets.TABLES:
        return TABLE_FORMAT, "columns, of which a reader takes those that it needs"
    if form in datasets.PLAIN_FAMILIES:
        return FILES_FORMAT, "tar archives of any files, which training reads in large blocks"
    return OUTPUT_FORMAT, "prepared records, which training reads in large blocks"


def _preparing(form: str, stored: float, voxels: float | None) -> float:
    """Seconds of a stock loader on a decoded sample: it turns volumes, and shuffles the rows of a table."""
    if voxels is not None:
        return datasets.AUGMENTING_S_PER_VOXEL * voxels / VOXEL_BYTES
    return datasets.SHUFFLING_S_PER_BYTE * stored if form in datasets.TABLES else 0.0


def _writing(workload: Workload, read: float, written: float, tuned: bool) -> float:
    """Seconds of one reference core to make smaller and to write a sample of so many bytes."""
    target = workload.output_format or OUTPUT_FORMAT
    if workload.image_size is None:
        return datasets.table_writing(target, written, tuned)
    return datasets.image_writing(target, read, _pixels(workload.image_size))


def _pixels(sides: tuple[int, ...]) -> float:
    """Pixels of an image of that size; one side stands for a square."""
    return float(prod(sides)) if len(sides) > 1 else float(sides[0] ** 2)


def _written(filling: Filling, samples: float, stored: float, form: str) -> float:
    """Bytes of the prepared copy."""
    workload, known = filling.workload, filling.known
    target = workload.output_format or OUTPUT_FORMAT
    if workload.image_size is not None:
        return samples * _pixels(workload.image_size) * datasets.bytes_per_pixel(target)
    if known is not None:
        return datasets.size_of(known, target) * (stored / datasets.size_of(known, form))
    return stored / datasets.DATA_FORMATS[form].size_factor * datasets.DATA_FORMATS[target].size_factor


def _tokens(filling: Filling, profile: ModelProfile | None) -> Flow:
    """Data counted in tokens: as stated, from the data set, or a usual amount."""
    assert profile is not None  # a language model always has a profile
    length, workload, known = float(profile.reference.sequence_length or 1), filling.workload, filling.known
    passes = float(workload.epochs or 1.0)
    form = workload.dataset.format or (known.format if known is not None else "text")
    described = _described_tokens(filling, known, profile, length)
    usual = family_of(profile.family).fine_tuning
    if workload.tokens is not None:
        tokens = once = workload.tokens
    elif described is not None:
        once, why = described
        filling.take("epochs", 1.0, "language models are usually trained in one pass")
        tokens = once * passes
        filling.note("tokens", tokens, why)
    else:
        once, why = TOKENS_PER_PARAMETER * profile.parameters, "20 tokens per parameter (Hoffmann et al. 2022)"
        if workload.method in kind.ADAPTED and usual is not None and usual.tokens is not None:
            once, why = usual.tokens, usual.why
        tokens = once
        filling.note("tokens", tokens, why)
    stored = workload.dataset.size_bytes
    if stored is None:
        stored = once * datasets.TEXT_BYTES_PER_TOKEN * datasets.DATA_FORMATS[form].size_factor
    each_pass = max(once / length, 1.0)
    core = datasets.core_seconds_per_sample(form, stored / each_pass, profile.family)
    feed = Feed(each_pass, max(stored, 1.0), passes, form, core, datasets.DATA_FORMATS[form].sequential)
    return Flow(max(tokens / length, 1.0), feed)


def _described_tokens(
    filling: Filling, known: datasets.KnownDataset | None, profile: ModelProfile, length: float
) -> tuple[float, str] | None:
    """Tokens of one pass over the data that are described, and their reason; ``None`` where none are."""
    samples, size = amounts_of(filling.workload.dataset)
    if known is not None and samples is None and size is None:
        held = datasets.tokens_of(known)
        if held is not None:
            return held, "tokens of the data set"
        samples = float(known.samples)
    if samples is None:
        return None if size is None else (size / datasets.TEXT_BYTES_PER_TOKEN, "4.5 bytes per token")
    assumed = any(one.field == "sequence_length" for one in filling.assumptions)
    if size is not None and assumed and padding_of(filling.workload, known, profile):
        return size / datasets.TEXT_BYTES_PER_TOKEN, "4.5 bytes per token"
    return samples * length, "samples × sequence length"


def of_letters(profile: ModelProfile) -> bool:
    """Whether each token is a letter."""
    return profile.transformer is not None and 0 < profile.transformer.vocabulary <= LETTERS


def tokens_held(dataset: Dataset, known: datasets.KnownDataset | None, profile: ModelProfile) -> float | None:
    """Return the tokens in each sample of texts, by the bytes stated or known; ``None`` where they do not say."""
    form = dataset.format or ("text" if known is None else known.format)
    if form not in PLAIN_TEXTS or (known is not None and known.sample not in datasets.OWN_TEXTS):
        return None
    samples, size = amounts_of(dataset)
    if known is not None and samples is None and size is None:
        samples, size = known.samples, datasets.size_of(known, form)
    if not samples or not size:
        return None
    each = LETTER_BYTES if of_letters(profile) else datasets.TEXT_BYTES_PER_TOKEN
    return size / datasets.DATA_FORMATS[form].size_factor / each / samples


def padding_of(workload: Workload, known: datasets.KnownDataset | None, profile: ModelProfile) -> float:
    """Return the share of padding in samples of texts of ``sequence_length``, by the bytes stated; 0 up to a half."""
    held = tokens_held(workload.dataset, known, profile)
    share = 0.0 if held is None or not workload.sequence_length else 1 - held / workload.sequence_length
    return share if share > HALF else 0.0


def _table(filling: Filling, what: str, serves: bool) -> Flow:
    """Data of a table: rows × features; a missing one follows from the size."""
    workload, dataset = filling.workload, filling.workload.dataset
    known = filling.known if amounts_of(dataset) == (None, None) else None
    trained = what == kind.TABULAR_TRAINING
    form = _format(filling, "tree") if trained or known is not None else dataset.format or "parquet"
    factor = datasets.DATA_FORMATS[form].size_factor
    if workload.features is None:
        features, why = TABLE_FEATURES, "typical of a small table"
        if known is not None and known.features is not None:
            features, why = known.features, "from the data set"
        if dataset.size_bytes and dataset.samples:
            features = max(1, round(dataset.size_bytes / dataset.samples / VALUE_BYTES / factor))
            why = f"size ÷ rows ÷ {_stored_value(form, factor)}"
        filling.take("features", features, why)
    row = float(filling.workload.features or 1) * VALUE_BYTES * factor
    rows, why = TABLE_ROWS, "typical of a small table"
    by_size = f"size ÷ features ÷ {_stored_value(form, factor)}"
    if form == datasets.TEXT:
        row, by_size = datasets.bytes_per_sample("document"), "the size ÷ the typical size of a sample"
    if dataset.size_bytes:
        rows, why = dataset.size_bytes / row, by_size
    elif known is not None:
        rows, why = float(known.samples), "from the data set"
        row = datasets.size_of(known, form) / rows
    rows = workload.requests or dataset.samples or rows
    if dataset.samples is None and workload.requests is None and not serves:
        fill_dataset(filling, "samples", round(rows), why)
    size = dataset.size_bytes or rows * row
    if trained and filling.workload.trees is None:
        filling.take("epochs", *LINEAR_PASSES.get(filling.framework.library, ANY_LINEAR_PASSES))
    slower = SPARK_READING.get((filling.framework.library, form), 1.0)
    core = datasets.core_seconds_per_sample(form, size / rows, "tree") * slower
    feed = Feed(max(rows, 1.0), max(size, 1.0), 1.0, form, core, datasets.is_sequential(form, size / rows))
    return Flow(NO_END if serves else max(rows, 1.0), feed)


def _stored_value(form: str, factor: float) -> str:
    """The bytes of a stored value in words."""
    stored = f"{VALUE_BYTES * factor:g}"
    plain = f"; values of {VALUE_BYTES:g} bytes, of which {form} stores {stored}"
    return f"{stored} bytes{'' if factor == 1 else plain}"


def held_of_table(workload: Workload, profile: ModelProfile | None, feed: Feed | None) -> float:
    """Bytes of host memory for each stored byte of a table that a script reads at once; 0 where it reads in parts."""
    script = workload.task == "training" and workload.tuning != "tuned"
    if not script or profile is None or profile.family != "mlp" or feed is None:
        return 0.0
    held = READ_AT_ONCE.get(feed.format, 0.0)
    return 0.0 if held * feed.stored_bytes / GIB > READ_IN_PARTS_GIB else held
