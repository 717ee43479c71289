"""Work without a neural network: HPC jobs, preprocessing, tabular learners."""
