"""Fit of the engine's coefficients to published measurements, with the errors on held-out measurements."""
