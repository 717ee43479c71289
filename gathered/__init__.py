"""Figures that others publish, in their words, as tables of the service.

Nothing of this is part of the service; it runs where somebody has the raw figures.
"""
