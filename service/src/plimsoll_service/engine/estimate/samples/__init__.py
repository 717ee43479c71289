"""Work that is counted in samples: training and inference."""
