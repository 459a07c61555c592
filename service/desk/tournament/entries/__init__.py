"""Decides who plays in a tournament, waits or stands by."""
