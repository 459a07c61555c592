"""Proof of the rules of 18AL, one module a section of its rulebook."""
