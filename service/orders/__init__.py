"""Orders given ahead: their language, when they hold, what they do.

It knows no mail and no database.
"""
