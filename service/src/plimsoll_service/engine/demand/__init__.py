"""What a workload needs: which kind of work it is, what was assumed, and the figures that the estimates use."""
