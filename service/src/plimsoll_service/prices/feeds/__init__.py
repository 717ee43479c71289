"""Feeds of prices: a package for each provider, and the modules that they share."""
