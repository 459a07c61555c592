"""Decides how a list or forum proves who writes, carries answers and news, begins and ends."""
