"""Mutants of the derivations and of what makes code of them: `make mutants` shows who notices a changed symbol."""
