"""Prices that follow the newest snapshot in a running process."""
