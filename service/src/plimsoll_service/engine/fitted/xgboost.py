"""Gradient boosting, xgboost: seconds of a tree.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients_boosting import Boosting

XGBOOST = Boosting(
    value_ns=0.8231,  # ±21%, from 1.2
    value_bytes=4.976,  # ±46%, from 10.0
    leaf_us=0.494,  # ±83%, from 5.0
    leaf_core_us=0.06785,  # ±61%, from 0.5
    cores_exponent=0.4164,  # ±13%, from 0.9
)
