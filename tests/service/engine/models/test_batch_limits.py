"""Largest sensible global batches by kind of training."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.models.families import FAMILIES
from plimsoll_service.engine.workload import Dataset, Query, Workload
from plimsoll_service.evidence import coefficients

LIMITS = {
    "resnet50": 8192,
    "vit-base": 4096,
    "clip-vit-b-32": 32_768,
    "yolov8m": 256,
    "slowfast-r50": 1024,
    "videomae-base": 512,
    "sdxl": 16,  # adapted: no data are described
    "bert-large": 128 * 2048 // 384,  # fine-tuned on questions
}


@pytest.mark.parametrize(("model", "samples"), LIMITS.items())
def test_each_kind_of_training_has_the_limit_of_its_published_recipes(model: str, samples: float) -> None:
    """Each limit is in samples of the model's own input."""
    assert samples == job_of(Query(Workload("training", model=model))).batch_limit


@pytest.mark.parametrize(("model", "optimizer"), [("videomae-base", "adamw"), ("slowfast-r50", "sgd")])
def test_transformers_over_clips_are_trained_as_transformers(model: str, optimizer: str) -> None:
    """VideoMAE's scripts take AdamW; networks of convolutions are trained with SGD."""
    assert optimizer == job_of(Query(Workload("training", model=model))).optimizer


def test_a_limit_in_tokens_is_fewer_of_longer_sequences() -> None:
    """128 sequences of 2,048 tokens are 32 of 8,192."""
    limits = [
        job_of(Query(Workload("training", model="mistral-7b", sequence_length=length))).batch_limit
        for length in (2048, 8192)
    ]
    assert [128, 32] == limits


def test_detectors_with_frozen_norms_take_the_batches_of_their_recipes() -> None:
    """64 images, the largest of facebookresearch/detectron2, configs/new_baselines; one-stage detectors take more."""
    of = {
        name: job_of(Query(Workload("training", model=name, epochs=12))).batch_limit
        for name in ("faster-rcnn", "mask-rcnn", "retinanet")
    }

    assert {"faster-rcnn": 64.0, "mask-rcnn": 64.0, "retinanet": 256.0} == of


def test_a_corpus_is_trained_on_with_larger_batches_than_a_small_set() -> None:
    """The name of the data tells which it is; language models without such data are trained from scratch."""
    of = {
        name: job_of(Query(Workload("training", model="bert-large", dataset=Dataset(name=name)))).batch_limit
        for name in ("squad", "wikibooks")
    }
    scratch = job_of(Query(Workload("training", model="llama-3-8b", tokens=1e12))).batch_limit
    tuned = job_of(Query(Workload("training", model="llama-3-8b", tokens=1e12, method="lora"))).batch_limit
    assert of["squad"] < of["wikibooks"]
    assert tuned < scratch


def test_nnunet_takes_the_patches_of_its_plans() -> None:
    """Its steps are as large as its plans say, whatever the device holds; volumes in other trainers are not planned."""
    volumes = Workload("training", model="unet-3d", framework="nnunet", image_size=(128, 128, 128))
    flat = replace(volumes, model="unet", image_size=(512, 512))
    monai = replace(volumes, framework="monai")
    actual = [job_of(Query(one)).batch_limit for one in (volumes, flat, monai)]
    assert [2, 12, 56] == actual


def test_every_limit_has_a_source_and_belongs_to_a_kind_of_training() -> None:
    """Each row has its source with a year, and is in samples or tokens."""
    kinds = {family.name for family in FAMILIES} | {
        "vision_transformer",
        "video_transformer",
        "contrastive",
        "two_stage_detection",
        "diffusion_tuning",
        "speech_tuning",
        "volumes_by_plan",
        "images_by_plan",
        "adversarial",
    }
    kinds |= {"text", "language", "huge_language", "text_tuning"}
    limits = coefficients.load().batch_limits
    assert set(limits) <= kinds
    for name, limit in limits.items():
        assert "20" in limit.source, name
        assert (limit.samples is None) != (limit.tokens is None), name
