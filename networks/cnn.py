"""Image classifiers made of convolutions, walked layer by layer."""

from networks.classic import CLASSIC, INCEPTION
from networks.efficient import EFFICIENT
from networks.residual import FACES, RESIDUAL

__all__ = ["CNN", "FACES"]

CNN = (*CLASSIC, *INCEPTION, *RESIDUAL, *EFFICIENT)
