"""All image classifiers."""

from __future__ import annotations

from plimsoll_service.engine.models.cnn_classic import CLASSIC
from plimsoll_service.engine.models.cnn_efficient import EFFICIENT
from plimsoll_service.engine.models.cnn_inception import INCEPTION
from plimsoll_service.engine.models.cnn_residual import RESIDUAL
from plimsoll_service.engine.models.vision_transformers import VISION_TRANSFORMERS

CNN = (*CLASSIC, *INCEPTION, *RESIDUAL, *EFFICIENT, *VISION_TRANSFORMERS)
