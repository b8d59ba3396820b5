"""Limits that every step keeps, as rows and, for limits of single rates, as a compiled box."""
