"""Proofs of rulebooks: one package a title, tests named after the rules they prove."""
