"""Fits the engine's coefficients to the evidence, and says how far the estimates lie from what they had not seen."""
