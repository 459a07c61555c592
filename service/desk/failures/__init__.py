"""Decides what follows when something goes wrong: a bug, a bounce, or a token that others see."""
