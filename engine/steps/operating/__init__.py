"""Decisions of a company's turn, in the order of the turn, and rules that several of them share."""
