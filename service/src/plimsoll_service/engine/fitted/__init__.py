"""The fitted coefficients, as ``plimsoll-service calibrate`` writes them: one module a form."""

from plimsoll_service.engine.coefficients import Coefficients

FITTED = Coefficients()
