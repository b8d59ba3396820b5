"""What contributors run by hand: benchmarks, fuzz tests and mutants; `README.md` tells how."""
