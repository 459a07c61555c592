"""Decides which commands are done later, and what they wait for."""
