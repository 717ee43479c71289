"""Import of gathered figures (other people's lists, with their doubts) into the documented CSV directory."""
