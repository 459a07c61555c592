"""Decides what each way of playing (private email, list, forum, terminal) carries in and out."""
