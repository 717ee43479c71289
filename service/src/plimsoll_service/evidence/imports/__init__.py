"""Import of gathered figures into the table of measurements, one module for each kind of source."""
