"""Gradient boosting, lightgbm: seconds of a tree.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients_boosting import Boosting

LIGHTGBM = Boosting(
    value_ns=1.082,  # ±23%, from 1.2
    value_bytes=4.106,  # ±52%, from 10.0
    leaf_us=9.765,  # ±41%, from 5.0
    leaf_core_us=1.43,  # ±18%, from 0.5
    cores_exponent=0.7215,  # ±10%, from 0.9
)
