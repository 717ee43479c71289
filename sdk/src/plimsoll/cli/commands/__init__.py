"""One command in each file; ``known`` has those that list names."""
