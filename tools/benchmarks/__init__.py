"""One script a claim: each measures both sides in one process, prints its table and writes it as JSON."""
