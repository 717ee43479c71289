"""How requests reach the application: gunicorn's worker, and what it must not wait for."""
