"""From a query to a job: what is filled, and that all of it is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from tests.service.engine.workloads import workloads
from tests.service.fitted import job_of

from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.requests import OF_PAIRS
from plimsoll_service.engine.models.families import OTHER_EPOCHS
from plimsoll_service.engine.workload import Constraints, CustomModel, Dataset, Query, Workload

TASKS = [Workload(task) for task in ("training", "inference", "preprocessing", "hpc")]
MODELS = [
    Workload("training", model="llama-3-8b"),
    Workload("training", model="llama-3-8b", method="qlora"),
    Workload("training", model="xgboost"),
    Workload("inference", model="llama-3-8b"),
    Workload("inference", model="sdxl"),
    Workload("inference", model="random-forest"),
    Workload("training", model="logistic-regression"),
    Workload("training", model="resnet18", dataset=Dataset(name="cifar-10")),
    Workload("training", image_size=(32, 32), dataset=Dataset(samples=50_000)),
    Workload("training", model="bge-base-en-v1.5", framework="sentence-transformers"),
]


@pytest.mark.parametrize("workload", [*TASKS, *MODELS], ids=lambda one: f"{one.task}-{one.model}")
def test_every_default_is_listed_once(workload: Workload) -> None:
    """Every value that the job has and the query lacked is listed once among the assumptions, with a reason."""
    job = job_of(Query(workload))
    listed = Counter(one.field for one in job.assumptions)
    assert {1} == set(listed.values())
    filled = {
        item.name
        for item in fields(Workload)
        if getattr(workload, item.name) is None and getattr(job.workload, item.name) is not None
    }
    assert filled <= set(listed)
    assert all(one.why for one in job.assumptions)
    if workload.dataset != job.workload.dataset:
        assert any(name.startswith("dataset.") for name in listed)


@settings(max_examples=150, deadline=None)
@given(workloads)
def test_nothing_is_assumed_that_was_said(workload: Workload) -> None:
    """A stated field keeps its value (a name its usual spelling) and is in no assumption, but an ambiguous model."""
    job = job_of(Query(workload))
    said = {item.name for item in fields(Workload) if getattr(workload, item.name) not in (None, Dataset())} - {"disk"}
    assert {} == {
        name: getattr(job.workload, name)
        for name in said - {"dataset", "model", "framework"}
        if getattr(job.workload, name) != getattr(workload, name)
    }
    assert not (said - {"model"}) & {one.field for one in job.assumptions}


@settings(max_examples=60, deadline=None)
@given(workloads)
def test_an_answered_question_asked_again_assumes_nothing_new(workload: Workload) -> None:
    """The workload as understood, asked again, is the same job."""
    first = job_of(Query(workload))
    again = job_of(Query(first.workload))
    assert replace(again.workload) == first.workload
    assert (first.samples, first.kind) == pytest.approx(
        (again.samples, again.kind), nan_ok=True
    ) or first.feed == again.feed


@pytest.mark.parametrize("model", ["logistic-regression", CustomModel(family="linear")])
def test_a_linear_model_has_passes_and_no_trees(model: str | CustomModel) -> None:
    """Trees would be refused if they were asked for, so none are assumed; passes are, and the time rests on them."""
    found = job_of(Query(Workload("training", model=model)))
    assert (None, None) == (found.workload.trees, found.workload.depth)
    assert OTHER_EPOCHS == found.workload.epochs
    assert "epochs" in {one.field for one in found.assumptions}


@pytest.mark.parametrize(
    ("family", "learner", "framework"),
    [("tree", "xgboost", "xgboost"), ("linear", "logistic-regression", "scikit-learn")],
)
def test_a_described_tabular_model_is_taken_for_its_familys_usual_learner(
    family: str, learner: str, framework: str
) -> None:
    """A described tabular model of any name has the figures and the usual framework of a known learner."""
    for name in ("ours", "lightgbm"):
        found = job_of(Query(Workload("training", model=CustomModel(family=family, name=name))))
        assert (learner, framework) == (found.learner, found.workload.framework)


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        (Workload("training"), kind.SAMPLE_TRAINING),
        (Workload("training", model="mixtral-8x7b"), kind.TOKEN_TRAINING),
        (Workload("training", model="logistic-regression"), kind.TABULAR_TRAINING),
        (Workload("inference", model="bert-base"), kind.INFERENCE),
        (Workload("inference", model="gpt2"), kind.SERVING),
        (Workload("inference", model="lightgbm"), kind.TABULAR_INFERENCE),
        (Workload("preprocessing"), kind.PREPROCESSING),
        (Workload("hpc"), kind.HPC),
    ],
)
def test_task_and_model_decide_the_kind(workload: Workload, expected: str) -> None:
    """Language models are trained by tokens and served; tabular learners are their own kinds."""
    assert expected == job_of(Query(workload)).kind


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        (Workload("training"), "mixed"),
        (Workload("training", model="llama-3-8b", method="lora"), "bf16"),
        (Workload("inference", model="llama-3-8b"), "bf16"),
        (Workload("hpc"), "fp64"),
    ],
)
def test_auto_is_never_lossy(workload: Workload, expected: str) -> None:
    """``auto`` and nothing said are the same precision, of 16 bits or more, and listed."""
    for said in (None, "auto"):
        job = job_of(Query(replace(workload, precision=said)))
        assert (expected, expected) == (job.precision, job.workload.precision)
        assert ["precision"] == [one.field for one in job.assumptions if one.field == "precision"]


@pytest.mark.parametrize(
    ("framework", "taken"), [("vllm", "awq"), ("sglang", "awq"), ("pytorch", "bitsandbytes"), ("llama.cpp", "gguf")]
)
def test_the_format_of_weights_is_said(framework: str, taken: str) -> None:
    """4 bits alone are taken in the format that the engine's users have, and that is listed."""
    job = job_of(Query(Workload("inference", model="llama-3-8b", framework=framework, precision="int4")))
    said = {one.field: one.value for one in job.assumptions}["quantization"]
    assert (taken, taken) == (said, job.workload.quantization)


def test_the_length_of_a_request_of_speech_is_said() -> None:
    """A rate of requests means segments of the model."""
    job = job_of(Query(Workload("inference", model="whisper-large-v3", requests_per_second=6.0)))
    said = {one.field: one.value for one in job.assumptions}
    assert said["audio_seconds"] == 30.0


def test_names_are_understood_in_any_spelling() -> None:
    """The job has the names of model, framework and data set as the collections list them."""
    job = job_of(
        Query(Workload("training", model="ResNet 50", framework="PyTorch", dataset=Dataset(name="ImageNet-1K")))
    )
    names = (job.workload.model, job.workload.framework, job.workload.dataset.name)
    assert (job.profile.name, "pytorch", "imagenet-1k") == names


def test_a_known_name_fills_size_and_samples() -> None:
    """ImageNet is 1,281,167 samples, larger as LMDB than as JPEG, and the epochs multiply them."""
    jpeg = job_of(Query(Workload("training", model="resnet-50", dataset=Dataset(name="imagenet-1k"), epochs=3)))
    lmdb = job_of(Query(Workload("training", model="resnet-50", dataset=Dataset(name="imagenet-1k", format="lmdb"))))
    assert (1_281_167, 3 * 1_281_167) == (jpeg.feed.samples, jpeg.samples)
    assert lmdb.feed.stored_bytes > jpeg.feed.stored_bytes


def test_tokens_are_counted_in_sequences() -> None:
    """A language model's samples are tokens over the sequence length."""
    job = job_of(Query(Workload("training", model="gpt2", tokens=1_024_000, sequence_length=512)))
    assert 2000 == job.samples


@pytest.mark.parametrize(("model", "expected"), [("t5-base", True), ("bert-base", False), ("whisper-small", False)])
def test_a_text_that_is_written_is_as_long_as_the_text_that_is_read(model: str, expected: bool) -> None:
    """Nobody states the length of the output, which decides the time; so the answer says what it takes."""
    told = {one.field: one.why for one in job_of(Query(Workload("inference", model=model))).assumptions}

    assert expected == ("written" in told.get("output_tokens", ""))


def test_size_alone_gives_the_rows_of_a_table() -> None:
    """Rows follow from size, features and eight bytes a value; columns are compressed to two fifths."""
    data = Dataset(size_bytes=8e9, format="csv")
    job = job_of(Query(Workload("training", model="xgboost", dataset=data, features=100)))
    assert 1e7 == pytest.approx(job.feed.samples)
    packed = job_of(Query(Workload("training", model="xgboost", dataset=replace(data, format="parquet"), features=100)))
    assert 2.5e7 == pytest.approx(packed.feed.samples)


def test_a_large_corpus_is_read_once() -> None:
    """Ten passes over a pre-training corpus are nobody's custom; a fine-tuning set has its family's schedule."""
    names = ("t5-base", "bert-base")
    passes = {name: job_of(Query(Workload("training", model=name))).workload.epochs for name in names}
    assert {"t5-base": 1.0, "bert-base": 3.0} == passes


@pytest.mark.parametrize(
    ("program", "model", "taken"),
    [
        ("NeMo", "parakeet-0.6b", "pytorch"),
        ("nemo", "llama-3-8b", "megatron"),
        ("composer", "bert-large", "pytorch"),
        ("composer", "mpt-7b", "llm-foundry"),
    ],
)
def test_trainers_of_language_models_run_others_with_pytorch(program: str, model: str, taken: str) -> None:
    """NeMo's speech and Composer's networks are PyTorch; the program whose support counts stays the named one."""
    job = job_of(Query(Workload("training", model=model, framework=program)))
    assert (taken, program.lower()) == (job.workload.framework, job.program)
    assert (taken == "pytorch") == any(one.field == "framework" for one in job.assumptions)


def test_a_version_without_a_release_date_counts_as_todays() -> None:
    """It is accepted and said; nothing is slower or faster for it."""
    job = job_of(Query(Workload("training", framework="pytorch", framework_version="antique")))
    listed = {one.field: one.why for one in job.assumptions}
    assert "is unknown" in listed["framework_version"]
    assert job.software_year == job_of(Query(Workload("training", framework="pytorch"))).software_year


def test_a_serving_batch_is_what_runs_at_once() -> None:
    """``batch_size`` of a served language model is its concurrency, and the answer says so."""
    job = job_of(Query(Workload("inference", model="llama-3-8b", batch_size=5)))
    assert 5 == job.workload.concurrency
    assert "concurrency" in {one.field for one in job.assumptions}


PUBLISHED = {
    "mistral-7b": ("tokens", 1e7),
    "mixtral-8x7b": ("tokens", 1e7),
    "sdxl": ("dataset.samples", 1_000.0),
    "whisper-small": ("dataset.samples", 2_927.0),  # of 12.3 s: 10 hours
}


@pytest.mark.parametrize("model", PUBLISHED)
def test_a_published_model_is_fine_tuned_where_nothing_else_is_said(model: str) -> None:
    """Neither data nor method stated: LoRA on a small set of data, and both are listed."""
    job = job_of(Query(Workload("training", model=model)))
    assumed = {one.field: one.value for one in job.assumptions}
    field, amount = PUBLISHED[model]
    assert ("lora", amount) == (assumed["method"], assumed[field])


SAID = [{"method": "full"}, {"tokens": 1e9}, {"dataset": Dataset(samples=1e6)}, {"dataset": Dataset(name="c4")}]


@pytest.mark.parametrize("said", SAID, ids=str)
def test_a_query_that_says_how_a_model_is_trained_or_on_what_trains_all_of_it(said: dict[str, object]) -> None:
    """Stated data, tokens or method are followed; only then does training start from scratch."""
    assert "full" == job_of(Query(Workload("training", model="mistral-7b", **said))).method


def test_adapters_without_data_are_trained_on_the_usual_ones() -> None:
    """``lora`` alone asks for what fine-tuning is assumed to be: 10 hours of audio, 1,000 images."""
    for model, amount in (("whisper-small", 10 * 3600 / 12.3), ("sdxl", 1000.0)):
        stated, unsaid = (
            job_of(Query(Workload("training", model=model, method=method))).workload for method in ("lora", None)
        )
        assert stated.dataset == unsaid.dataset
        assert stated.dataset.samples == pytest.approx(amount, rel=0.01)


def test_fsdp_spreads_all_states() -> None:
    """It is PyTorch with ``zero3``, unless another sharding is stated."""
    for sharding, expected in ((None, "zero3"), ("zero2", "zero2")):
        asked = Workload("training", model="llama-3-8b", method="full", framework="FSDP", sharding=sharding)
        workload = job_of(Query(asked)).workload
        assert (workload.framework, workload.sharding) == ("pytorch", expected)


def test_models_of_other_families_and_models_of_your_own_are_trained_from_scratch() -> None:
    """A described model was never published, and a small network has a customary schedule."""
    own = CustomModel(family="decoder", parameters=1e9, layers=16, hidden_size=2048)
    methods = [job_of(Query(Workload("training", model=model))).method for model in (own, "resnet50", "bert-base")]
    assert ["full", "full", "full"] == methods


def test_small_images_are_read_as_they_are_by_convolutional_networks() -> None:
    """CIFAR at 32 x 32, unless another size is asked; patches of a vision transformer need larger ones."""
    sizes = [
        job_of(
            Query(Workload("training", model=model, dataset=Dataset(name="cifar-10"), image_size=size))
        ).workload.image_size
        for model, size in (("resnet50", None), ("resnet50", (224,)), ("vit-base", None))
    ]
    assert [(32, 32), (224,), (224, 224)] == sizes


@pytest.mark.parametrize(("framework", "tuning"), [("tensorrt", "tuned"), ("tensorrt-llm", "tuned"), ("vllm", "stock")])
def test_the_vendors_engines_are_tuned(framework: str, tuning: str) -> None:
    """There is no stock build of TensorRT; what is said is followed."""
    asked = Workload("inference", model="llama-3.1-8b", framework=framework)

    assert tuning == job_of(Query(asked)).workload.tuning
    assert "stock" == job_of(Query(replace(asked, tuning="stock"))).workload.tuning


@pytest.mark.parametrize(
    ("framework", "targets"),
    [("unsloth", "all"), ("axolotl", "all"), ("llama-factory", "all"), ("peft", "attention"), ("pytorch", "attention")],
)
def test_adapters_are_where_the_program_puts_them(framework: str, targets: str) -> None:
    """hiyouga/LLaMA-Factory, hparams/finetuning_args.py (2025): lora_target; examples of Axolotl and Unsloth."""
    asked = Workload("training", model="llama-3.1-8b", framework=framework, method="lora", tokens=1e7)

    assert targets == job_of(Query(asked)).workload.lora_targets
    assert "attention" == job_of(Query(replace(asked, lora_targets="attention"))).workload.lora_targets


@pytest.mark.parametrize(
    ("model", "optimizer"),
    [
        ("convnext-base", "adamw"),
        ("cyclegan", "adamw"),
        ("segformer-b0", "adamw"),
        ("rt-detr-l", "adamw"),
        ("resnet50", "sgd"),
        ("efficientnet-b4", "sgd"),
    ],
)
def test_convolutional_networks_are_trained_as_their_authors_did(model: str, optimizer: str) -> None:
    """SGD, but AdamW where the paper trains as transformers are trained."""
    assert optimizer == job_of(Query(Workload("training", model=model, method="full"))).optimizer


@pytest.mark.parametrize(("model", "said"), [("qwen2.5-vl-7b", True), ("qwen2.5-7b", False)])
def test_a_prompt_of_a_model_for_images_is_said_to_be_an_image(model: str, said: bool) -> None:
    """The answer says what the encoder adds; a model of text has none."""
    job = job_of(Query(Workload("inference", model=model, input_tokens=1800, output_tokens=500)))
    texts = [one.why for one in job.assumptions if one.field == "input_tokens"]

    assert said == any("tokens of an image, whose encoder adds" in text for text in texts)
    assert said == any("frames of a video, state the tokens of all of them" in text for text in texts)


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        ("gemma-3-27b", (1200, 1600), 256),
        ("gemma-4-31b", (896,), 280),
        ("llama-4-scout", (672,), 576),
        ("mistral-small-3.2", (1540, 1540), 3025),
        ("qwen2.5-vl-7b", (448, 896), 512),
        ("glm-4.5v", (896,), 1024),
    ],
)
def test_an_image_of_a_stated_size_is_so_many_tokens_of_the_prompt(
    model: str, size: tuple[int, ...], tokens: int
) -> None:
    """By the patches of the model's tower; they come beside the usual prompt unless the tokens are stated."""
    job = job_of(Query(Workload("inference", model=model, image_size=size)))

    assert f"a request brings one image of that size: {tokens:,} tokens of its prompt" in [
        one.why for one in job.assumptions
    ]
    assert tokens + 512 == job.workload.input_tokens


def test_a_prompt_of_text_pays_for_no_image() -> None:
    """Models that are asked for texts first read an image only where its size is stated, and the answer says so."""
    text, seen = (
        job_of(Query(Workload("inference", model="gemma-3-27b", input_tokens=600, image_size=size)))
        for size in (None, (896,))
    )

    assert text.profile
    assert seen.profile
    assert (0.0, True) == (text.profile.seen_parameters, seen.profile.seen_parameters > 0)
    assert any(one.why.startswith("a prompt is of text alone") for one in text.assumptions)


@pytest.mark.parametrize(
    ("family", "size"),
    [
        ("cnn", {"image_size": (512,)}),
        ("segmentation", {"image_size": (256, 256)}),
        ("encoder", {"sequence_length": 64}),
        ("rnn", {"sequence_length": 512}),
    ],
)
def test_stated_operations_are_those_of_the_stated_sample(family: str, size: dict[str, Any]) -> None:
    """Whoever counts the operations of an image of 512 pixels means that image, and none of the usual size."""
    model = CustomModel(family=family, parameters=3e7, forward_flops_per_sample=2e10)
    profiles = [job_of(Query(Workload("training", model=model, **one))).profile for one in ({}, size)]

    assert all(profiles)
    assert [2e10, 2e10] == pytest.approx([one.forward_flops for one in profiles if one is not None])


@pytest.mark.parametrize("asked", [{}, {"image_size": (480, 832)}])
@pytest.mark.parametrize(("model", "frames"), [("wan2.1-1.3b", 81), ("videomae-base", 16), ("slowfast-r50", 32)])
def test_a_clip_is_said_to_be_of_so_many_frames(model: str, frames: int, asked: dict[str, Any]) -> None:
    """Whether or not the size of a frame is stated."""
    job = job_of(Query(Workload("inference", model=model, **asked)))

    assert f"a sample is a clip of {frames} such frames" in [one.why for one in job.assumptions]


@pytest.mark.parametrize(("form", "said"), [(None, True), ("jpeg", True), ("text", False), ("parquet", False)])
def test_training_of_a_model_for_images_says_what_their_encoder_adds(form: str | None, said: bool) -> None:
    """Unless the data are texts."""
    data = Dataset(samples=1e5, format=form)
    job = job_of(Query(Workload("training", model="qwen2.5-vl-7b", method="lora", dataset=data)))
    texts = [one.why for one in job.assumptions if one.field == "sequence_length"]

    assert said == any("whose frozen encoder adds 35% to the forward pass" in text for text in texts)


@pytest.mark.parametrize(
    ("framework", "said"),
    [("faster-whisper", "5 beams"), ("whisper.cpp", "5 beams"), ("openai-whisper", "5 beams"), ("pytorch", "one beam"),
     ("huggingface", "one beam"), ("insanely-fast-whisper", "one beam"), ("vllm", "one beam")],
)  # fmt: skip
def test_the_beams_of_a_transcription_are_those_of_its_software(framework: str, said: str) -> None:
    """Transformers, whose settings of Whisper name none, searches with one; the others' default is five."""
    job = job_of(Query(Workload("inference", model="whisper-small", framework=framework)))

    assert [said in one.why for one in job.assumptions if one.field == "model"] == [True]


def test_openai_whisper_takes_one_recording() -> None:
    """Its transcribe() decodes one window after the other (openai/whisper, transcribe.py)."""
    job = job_of(Query(Workload("inference", model="whisper-large-v3", framework="openai-whisper", hours_of_audio=10)))

    assert 1 == job.workload.batch_size


@pytest.mark.parametrize("model", ["bge-reranker-v2-m3", "Alibaba-NLP/gte-multilingual-reranker-base"])
def test_a_request_to_a_reranker_is_said_to_be_one_pair(model: str) -> None:
    """Many requests rank several passages; an embedder's request is one text."""
    said = {
        name: {one.why for one in job_of(Query(Workload("inference", model=name, requests_per_second=6))).assumptions}
        for name in (model, "bge-m3")
    }
    assert (True, False) == tuple(OF_PAIRS in whys for whys in said.values())


@pytest.mark.parametrize(("framework", "batch"), [("openvino", 1), ("faster-whisper", None)])
def test_openvino_takes_one_recording(framework: str, batch: int | None) -> None:
    """Its pipeline of Whisper has no batches (openvinotoolkit/openvino.genai pull request 4311, 2026-08-12)."""
    work = Workload("inference", model="whisper-small", framework=framework, concurrency=8)
    assert batch == job_of(Query(work)).workload.batch_size
    assert 4 == job_of(Query(replace(work, batch_size=4))).workload.batch_size


@pytest.mark.parametrize(
    ("model", "said", "expected"),
    [("xtts-v2", {}, 1), ("xtts-v2", {"tuning": "tuned"}, None), ("xtts-v2", {"batch_size": 8}, 8),
     ("whisper-large-v3", {}, None), ("kokoro-82m", {}, 1), ("fastpitch", {}, None)],
)  # fmt: skip
def test_texts_are_spoken_one_by_one(model: str, said: dict[str, object], expected: int | None) -> None:
    """The scripts of such models take one text, in jobs too; recognisers batch, and so may a tuned server."""
    for asked in ({"requests_per_second": 2}, {"requests": 1000, "deadline_hours": 1.0}):
        job = job_of(Query(Workload("inference", model=model, **asked, **said)))
        assert expected == job.workload.batch_size


@pytest.mark.parametrize(
    ("framework", "method", "said", "taken"),
    [
        ("huggingface", "qlora", None, "full"),
        ("axolotl", "qlora", None, "full"),
        ("unsloth", "lora", None, "full"),
        ("trl", "lora", None, "full"),
        ("trl", "full", "none", "none"),
        ("llama-factory", "lora", None, "full"),
        ("huggingface", "lora", None, "auto"),
        ("torchtune", "qlora", None, "auto"),
        ("peft", "qlora", "none", "none"),
    ],
)
def test_programs_that_recompute_activations_unasked_do_so(
    framework: str, method: str, said: str | None, taken: str
) -> None:
    """Unsloth's loader, TRL's trainers, LLaMA-Factory, and PEFT's preparation of 4-bit weights.

    Sources: huggingface/trl@016013e8, sft_config.py (2026): ``gradient_checkpointing`` is True by default;
    hiyouga/LLaMA-Factory@00577a85, hparams/model_args.py (2025): ``disable_gradient_checkpointing`` is False by
    default; huggingface/peft, docs/source/developer_guides/quantization.md.
    """
    work = Workload("training", model="llama-3-8b", framework=framework, method=method, tokens=1e7)
    job = job_of(Query(replace(work, activation_recomputation=said)))

    assert taken == job.workload.activation_recomputation


@pytest.mark.parametrize(
    ("work", "field", "words"),
    [
        (Workload("training", model="resnet18", image_size=(32, 32)), "model", "does about 16 times the work"),
        (Workload("training", model="resnet18", dataset=Dataset(name="cifar-10")), "model", "16 times the work of"),
        (
            Workload("training", model="xgboost", dataset=Dataset(samples=1e8, size_bytes=2e10, format="parquet")),
            "features",
            "3.2 bytes; values of 8 bytes, of which parquet stores 3.2",
        ),
        (Workload("training", model="random-forest", dataset=Dataset(samples=65_536)), "depth", "log2 of 65536 rows"),
        (Workload("inference", model="nllb-200-3.3b"), "model", "one beam"),
        (Workload("inference", model="nllb-200-3.3b", framework="ctranslate2"), "model", "2 beams, the default"),
        (Workload("inference", model="opus-mt-en-de"), "model", "4 beams, as the model's generation settings"),
        (Workload("inference", model="m2m100-418m", framework="ctranslate2"), "model", "2 beams"),
        (Workload("inference", model="sam-vit-h"), "model", "for one prompt"),
        (Workload("inference", model="sam2-hiera-large"), "model", "for one prompt"),
        (Workload("training", model="dlrm"), "model", "embedding tables of 3.9 billion parameters"),
        (Workload("training", model="bge-base-en-v1.5", framework="sbert"), "model", "a pair of texts"),
    ],
)
def test_what_a_sample_is_stands_among_the_assumptions(work: Workload, field: str, words: str) -> None:
    """Names alone would mislead: small images, tables of other sizes, pairs of texts."""
    assert any(one.field == field and words in one.why for one in job_of(Query(work)).assumptions)


def test_a_pair_of_texts_is_twice_the_work() -> None:
    """Losses of sentence-transformers compare texts (sbert.net, Loss Overview, 2026)."""
    alone, pairs = (
        job_of(Query(Workload("training", model="bge-base-en-v1.5", framework=name))).profile
        for name in ("pytorch", "sentence-transformers")
    )

    assert alone is not None
    assert pairs is not None
    assert pairs.forward_flops == 2 * alone.forward_flops


@pytest.mark.parametrize(
    ("purchase", "stated", "expected"),
    [(("spot",), None, 600.0), (("on_demand",), None, None), (("on_demand", "spot"), 20.0, 20.0)],
)
def test_a_computation_on_spot_writes_its_memory(
    purchase: tuple[str, ...], stated: float | None, expected: float | None
) -> None:
    """Without a stated size, a checkpoint holds the whole state of the job; on demand none is written."""
    work = Workload("hpc", flops=1e19, precision="fp64", memory_gib=600.0, checkpoint_gib=stated)
    job = job_of(Query(work, Constraints(purchase=purchase)))
    noted = {one.value for one in job.assumptions if one.field == "checkpoint_gib"}

    assert expected == job.workload.checkpoint_gib
    assert noted == ({600.0} if stated is None and "spot" in purchase else set())


@pytest.mark.parametrize(("model", "videos"), [("wan2.1-1.3b", True), ("sdxl", False)])
def test_videos_are_not_said_to_be_usually_images(model: str, videos: bool) -> None:
    """The contract has no format of videos, and the answer says so."""
    job = job_of(Query(Workload("training", model=model, method="lora", dataset=Dataset(samples=300), epochs=30)))
    [why] = [one.why for one in job.assumptions if one.field == "dataset.format"]

    assert videos == why.startswith("videos have no format here")
    assert videos != (why == "the usual format for such data")


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [("wikitext-2", "lstm-word-language-model"), ("WikiText2", "lstm-word-language-model"), ("ptb", "lstm")],
)
def test_a_language_model_has_the_words_of_its_data(dataset: str, expected: str) -> None:
    """WikiText-2 has 33,278 words, the Penn Treebank 10,000."""
    work = Workload("training", framework="pytorch", model="lstm", dataset=Dataset(name=dataset), epochs=1)

    assert expected == job_of(Query(work)).workload.model


def test_the_variant_for_small_images_does_sixteen_times_the_work() -> None:
    """Its maps are those of an image four times as wide; the parameters and the size of the image stay."""
    large, small = (
        job_of(Query(Workload("training", model="resnet18", image_size=(32,), dataset=data))).profile
        for data in (Dataset(samples=5e4, size_bytes=1.5e8), Dataset(name="cifar-10"))
    )
    assert large is not None
    assert small is not None
    assert small.forward_flops == pytest.approx(16 * large.forward_flops)
    assert 2 * 0.56e9 == pytest.approx(small.forward_flops, rel=0.1)
    assert small.parameters == large.parameters
    assert small.reference == large.reference


@pytest.mark.parametrize(("rows", "expected"), [(20_000, 19), (150_000, 22), (600_000, 25)])
def test_a_forest_without_a_depth_grows_with_its_rows(rows: float, expected: int) -> None:
    """Within 15% of what a row's mean depth was measured as: 17.4 to 19.6, 21.5 to 23.7 and 23.7 to 28.6."""
    asked = Workload("training", model="random-forest", dataset=Dataset(samples=rows))
    assert expected == job_of(Query(asked)).workload.depth


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({}, True),
        ({"tuning": "tuned"}, False),
        ({"dataset": Dataset(samples=1e10, size_bytes=8e12, format="csv")}, False),
    ],
)
def test_a_script_holds_the_table_that_it_reads_at_once(change: dict[str, Any], holds: bool) -> None:
    """Tuned scripts read in parts, and so does everyone where no machine holds the table."""
    table = Dataset(samples=2e7, size_bytes=16e9, format="parquet")
    asked = Workload("training", model=CustomModel(family="mlp", parameters=5e6), framework="pytorch", dataset=table)
    assert holds == (job_of(Query(replace(asked, **change))).host_bytes_per_data_byte > 1)


def test_the_vocabulary_of_a_described_language_model_is_said() -> None:
    """It sets the memory of logits: GPT-3 XL has 24 layers of 2,048 and 1.3 billion parameters (arXiv 2005.14165)."""
    described = CustomModel(family="decoder", parameters=1.3e9, layers=24, hidden_size=2048)
    job = job_of(Query(Workload("training", model=described, tokens=1e9)))
    [told] = [one.why for one in job.assumptions if one.field == "model"]

    assert job.profile is not None
    assert job.profile.transformer is not None
    assert 30_000 < job.profile.transformer.vocabulary < 60_000
    assert told.startswith(f"a vocabulary of {job.profile.transformer.vocabulary:,} words is taken")


@pytest.mark.parametrize(("model", "tokens"), [("trocr-base", 20), ("donut-base", 256), ("nougat-base", 1400)])
def test_the_text_that_is_read_off_an_image_is_an_assumption(model: str, tokens: int) -> None:
    """Its tokens are written one by one: a line of TrOCR (arXiv 2109.10282) has fewer than a page of Nougat."""
    told = {one.field: one.value for one in job_of(Query(Workload("inference", model=model, requests=1e6))).assumptions}

    assert tokens == told["output_tokens"]
