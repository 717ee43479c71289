"""Registry of the rules that reasons, warnings and rejections name; each id is unique."""

from plimsoll_service.engine.rules import advice, choice, constraint, estimate, sizing
from plimsoll_service.engine.rules.rule import Rule, registry, rules_of

RULES = registry(*map(rules_of, (constraint, sizing, estimate, choice, advice)))

__all__ = ["RULES", "Rule"]
