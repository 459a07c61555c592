"""Tournaments at the moderator's desk: entries by mail, the director's words, boards, letters."""
