"""Decides whether an email may act, waits for its owner, or came before."""
