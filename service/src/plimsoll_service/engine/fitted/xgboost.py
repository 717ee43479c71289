"""Gradient boosting, xgboost: seconds of a tree.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients_boosting import Boosting

XGBOOST = Boosting(
    value_ns=0.8101,  # ±21%, from 1.2
    value_bytes=4.923,  # ±46%, from 10.0
    leaf_us=0.8025,  # ±67%, from 5.0
    leaf_core_us=0.03806,  # ±55%, from 0.5
    cores_exponent=0.4089,  # ±13%, from 0.9
)
