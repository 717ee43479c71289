"""Exit statuses of the commands."""

ANSWERED = 0
# No recommendation, hardware that does not fit, a gate that failed, nothing found.
NOTHING = 1
# click's own status for a wrong command line.
REFUSED = 2
UNREACHABLE = 3
# 128 plus the signal's number, as shells report it.
INTERRUPTED = 130
BROKEN_PIPE = 141
