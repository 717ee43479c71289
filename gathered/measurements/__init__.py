"""Published measurements: readers of the tables of each source."""
