"""How answers are written out: one file a format, found by name."""
