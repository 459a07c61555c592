"""Decides what a clock, a silence and a fixed hour bring about."""
