"""Decides which commands are done later, what they wait for, and what is read of them."""
