"""Decides what somebody who proves nothing may ask, and what the answer is."""
