"""Fuzz tests on the library from outside, each with a judge of its own: `make fuzz` runs them all."""
