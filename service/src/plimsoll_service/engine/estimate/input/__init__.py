"""How data come to the devices: disks, and the pipeline that brings them in."""
