"""Decisions of stock rounds: private companies, purchases and sales."""
