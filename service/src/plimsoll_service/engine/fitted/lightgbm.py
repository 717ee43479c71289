"""Gradient boosting, lightgbm: seconds of a tree.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients_boosting import Boosting

LIGHTGBM = Boosting(
    value_ns=1.096,  # ±22%, from 1.2
    value_bytes=3.081,  # ±63%, from 10.0
    leaf_us=21.46,  # ±22%, from 5.0
    leaf_core_us=1.589,  # ±49%, from 0.5
    cores_exponent=0.7055,  # ±10%, from 0.9
)
