"""Prices of machines: one interface to look them up, the sources behind it, and the feeds that refresh them."""
