"""Published measurements: one table in the project's own columns, its sources, and what each row asks of the engine."""
