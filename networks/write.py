"""Writes the table of counted networks into the service: ``python -m networks.write``."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from networks.adversarial import ADVERSARIAL
from networks.cnn import CNN, FACES
from networks.detection import DETECTION
from networks.diffusion import DIFFUSION
from networks.generation import GENERATION
from networks.reading import READERS
from networks.recurrent import RNN
from networks.segmentation import LATER_SEGMENTATION, SEGMENTATION
from networks.speech import LATER_SPEECH, SPEECH
from networks.synthesis import SYNTHESIS
from networks.tabular import TABULAR
from networks.vision import CONVOLUTIONAL_VIDEO, VISION
from networks.vision_transformers import VIDEO_TRANSFORMERS, VISION_TRANSFORMERS
from networks.weather import WEATHER
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.evidence import models

FILE = Path(models.__file__).parent / models.FOLDER / "networks.csv"
GROUPS: dict[str, tuple[ModelProfile, ...]] = {
    "classifiers": CNN,
    "vision_transformers": VISION_TRANSFORMERS,
    "detectors": DETECTION,
    "segmenters": SEGMENTATION,
    "denoisers": DIFFUSION,
    "synthesis": SYNTHESIS,
    "recognisers": SPEECH,
    "recurrent": RNN,
    "learners": TABULAR,
    "video": CONVOLUTIONAL_VIDEO,
    "video_transformers": VIDEO_TRANSFORMERS,
    "later_segmenters": (*LATER_SEGMENTATION, *ADVERSARIAL),
    "later_vision": (*VISION, *FACES, *WEATHER),
    "later_speech": LATER_SPEECH,
    "readers": READERS,
    "generators": GENERATION,
}


def table() -> str:
    """The table as CSV, without columns that are empty in all rows."""
    rows = [{"group": group} | dict(_cells(network)) for group, networks in GROUPS.items() for network in networks]
    used = {name for row in rows for name in row}
    out = io.StringIO()
    writer = csv.DictWriter(out, [name for name in _columns() if name in used], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _columns() -> Iterator[str]:
    yield "group"
    for part, readers in models.READERS.items():
        yield from (f"{part}.{name}" if part else name for name in readers)


def _cells(value: Any, part: str = "") -> Iterator[tuple[str, str]]:
    """Yield the column and cell of each field that has not its default."""
    for field in fields(value):
        found = getattr(value, field.name)
        if is_dataclass(found):
            yield from _cells(found, f"{field.name}.")
        elif field.default is MISSING or found != field.default:
            yield f"{part}{field.name}", _cell(found)


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return ("|" if isinstance(value[0], str) else "x").join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")


if __name__ == "__main__":
    FILE.write_text(table(), encoding="utf-8")
