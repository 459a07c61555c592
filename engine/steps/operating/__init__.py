"""Decisions of a company's turn, in the order of the turn, and what several of them judge alike."""
