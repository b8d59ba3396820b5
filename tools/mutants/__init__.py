"""Mutants of the derivations and of what makes code of them: who notices a changed symbol?"""
