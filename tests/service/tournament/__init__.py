"""Tournaments at the desk: entries, directing, boards, letters."""
