"""Decides how commands come and answers go by each way: private email, list, forum, terminal."""
