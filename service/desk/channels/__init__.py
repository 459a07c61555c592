"""Decides by which way commands come and answers go: private email, list, forum, terminal."""
