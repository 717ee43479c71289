"""Feeds: one file a provider's price list, all behind the interface of ``feed``."""
