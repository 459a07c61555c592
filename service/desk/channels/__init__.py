"""Decides how a channel proves who writes, carries the answer, begins and ends."""
