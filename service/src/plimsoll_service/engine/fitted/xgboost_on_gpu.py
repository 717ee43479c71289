"""Gradient boosting, xgboost on gpu: seconds of a tree.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients_boosting import BoostingOnGpu

XGBOOST_ON_GPU = BoostingOnGpu(
    level_ms=0.8499,  # ±13%, from 0.7
    value_ns=0.06335,  # ±13%, from 0.045
    bandwidth_exponent=0.5496,  # ±32%, from 0.3
)
