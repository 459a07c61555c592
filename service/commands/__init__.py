"""Lines of an email as commands: which lines are commands, and what the others are."""
