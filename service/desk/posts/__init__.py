"""Decides what is done with what comes by mailing lists and forums."""
