"""Registry of the rules that reasons, warnings and rejections name; each id is unique."""

from plimsoll_service.engine.rules.advice import ADVICE_RULES
from plimsoll_service.engine.rules.choice import CHOICE_RULES
from plimsoll_service.engine.rules.constraint import CONSTRAINT_RULES
from plimsoll_service.engine.rules.estimate import ESTIMATE_RULES
from plimsoll_service.engine.rules.rule import Rule, registry
from plimsoll_service.engine.rules.sizing import SIZING_RULES

RULES: tuple[Rule, ...] = registry(CONSTRAINT_RULES, SIZING_RULES, ESTIMATE_RULES, CHOICE_RULES, ADVICE_RULES)

__all__ = ["RULES", "Rule"]
