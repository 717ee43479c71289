"""Data parallel over devices and nodes: what the exchange of gradients costs.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients import Scaling

SCALING = Scaling(
    nvlink=0.2246,  # ±8%, from 0.17
    pcie=0.6264,  # ±3%, from 0.43
    pcie_contention=0.1171,  # ±13%, from 0.14
    network=0.1519,  # ±10%, from 0.19
    step_growth=0.02753,  # ±3%, from 0.021
    overlap=0.1702,  # ±4%, from 0.19
)
