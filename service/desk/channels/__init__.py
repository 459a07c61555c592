"""Decides which emails pass between a game and its mailing list or forum."""
