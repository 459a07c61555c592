"""Decides who reads what players write in words of their own."""
