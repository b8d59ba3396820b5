"""What contributors run by hand: benchmarks and mutants; see `README.md`."""
