"""Decides what proves a writer, and whether an email acts, waits for its owner, or came before."""
