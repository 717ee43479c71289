"""Published measurements: one table, its sources, each row as a question to the engine, and the fitted coefficients."""
