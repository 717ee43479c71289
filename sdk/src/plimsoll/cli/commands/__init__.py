"""One command in each file."""
