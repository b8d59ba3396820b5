"""The solver of one step: by slopes where that is proven, by DAQP, and by orthogonal factors where neither is."""
