"""What machines cost: one interface to look prices up, the bundled snapshot behind it, and caches in front of it."""
