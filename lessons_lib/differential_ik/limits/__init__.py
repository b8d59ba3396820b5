"""Limits: what a step may never do. Each file holds one, as rows and, where a box says it, as a compiled box."""
