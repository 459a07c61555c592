"""Checks that a title's facts fit together; the findings are for the author of the facts."""
