"""Proof of the rules of 18TN, one module a part of its rulebook."""
