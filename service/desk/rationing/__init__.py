"""Decides how many answers, other emails and seconds of work somebody may cause."""
