"""Decides what each line of an email is: a command, an advance order, or part of a sign-off."""
