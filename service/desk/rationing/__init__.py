"""Decides how many answers, other emails and seconds of work an email may cause."""
