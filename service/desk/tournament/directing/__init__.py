"""Decides which commands of a tournament's directors hold, and what those to all tables do."""
