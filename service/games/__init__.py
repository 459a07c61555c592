"""A game as the moderator works on it: the store's bytes as values, lines as commands."""
