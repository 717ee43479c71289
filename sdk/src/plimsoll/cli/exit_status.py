"""What the exit status of a command means."""

ANSWERED = 0
# No recommendation, hardware that does not fit, a gate that failed, nothing found.
NOTHING = 1
# The status that click itself gives to a call that it cannot read.
REFUSED = 2
UNREACHABLE = 3
# 128 and the number of the signal, as shells report it.
INTERRUPTED = 130
BROKEN_PIPE = 141
