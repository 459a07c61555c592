"""Decides whether and how the commands of those who direct a tournament are carried out."""
