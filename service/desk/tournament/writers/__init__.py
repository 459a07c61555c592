"""Decides in whose name lines about a tournament are judged, and how their writer is answered."""
