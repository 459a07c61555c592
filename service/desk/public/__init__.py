"""Decides how a list or forum proves who writes, carries the answer, begins and ends."""
