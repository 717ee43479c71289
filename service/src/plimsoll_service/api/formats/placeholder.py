"""What a job runs until its user's own command stands there: launchers refuse a job that runs nothing."""

COMMAND = "lscpu"  # shows the machine, changes nothing, and is part of every Linux image
