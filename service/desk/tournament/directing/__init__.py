"""Decides how the acts of a tournament's director, assistant and calendar are carried out."""
