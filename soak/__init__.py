"""Attacks on the library from outside, each with a judge of its own: `make soak` runs them all."""
