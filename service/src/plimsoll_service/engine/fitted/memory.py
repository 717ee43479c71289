"""Device memory in training: bytes kept over those of the stored elements, by class of network.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients import TrainingMemory

TRAINING_MEMORY = TrainingMemory(
    kappa_convolution=1.151,  # ±2%, from 1.23
    kappa_encoder=1.024,  # ±8%, from 1.11
    kappa_eager_encoder=1.776,  # ±3%, from 1.95
    kappa_segment_transformer=1.323,  # ±4%, from 1.4
    kappa_rnn=0.955,  # ±3%, from 1.08
    kappa_convolution_1d=1.47,  # ±5%, from 1.45
    kappa_lean_convolution_1d=1.202,  # ±6%, from 1.044
    kappa_mlp=1.124,  # ±3%, from 1.14
    context_gib=1.171,  # ±9%, from 1.0
)
