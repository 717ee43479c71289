"""The cost gate: holds the answer of now against limits and against an answer that was stored; no I/O of its own.

``plans_of`` reads plans, ``judge`` gives a verdict on one, and ``report`` writes verdicts as text, JSON or annotations.
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
