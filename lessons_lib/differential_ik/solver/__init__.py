"""The solver of one step: the free one, one on active bounds, and one by orthogonal factors where neither is proven."""
