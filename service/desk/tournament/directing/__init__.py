"""Decides who directs a tournament, and which rules and rulings hold in it."""
