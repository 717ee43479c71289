"""Work of gunicorn's hooks: before workers are forked, when they are replaced, and when the server stops."""
