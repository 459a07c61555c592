"""Decides who reads what the people of a game say."""
