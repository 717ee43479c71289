"""From gathered figures to the table of measurements: one module a family of sources."""
