"""Decides who writes about a tournament, and how what they bring about is stored and sent."""
