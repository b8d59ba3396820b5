"""Benchmarks, pictures and language checks that contributors run by hand; see `README.md`."""
