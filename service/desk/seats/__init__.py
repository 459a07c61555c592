"""Decides who plays a seat, and at which address."""
