"""Turns gathered figures (other people's lists, each with its own doubts) into the documented CSV directory."""
