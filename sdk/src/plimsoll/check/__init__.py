"""The cost gate: compares a new answer with limits and with a stored answer, without I/O.

``plans_of`` reads plans, ``judge`` returns a verdict, and ``report`` writes verdicts as text, JSON or annotations.
"""

from plimsoll.check.plan import Limits, Plan, PlanFaults, plans_of
from plimsoll.check.verdict import Change, Failure, Stored, Verdict, judge, stored_answer

__all__ = [
    "Change",
    "Failure",
    "Limits",
    "Plan",
    "PlanFaults",
    "Stored",
    "Verdict",
    "judge",
    "plans_of",
    "stored_answer",
]
