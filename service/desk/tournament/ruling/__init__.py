"""Decides what a message, a ruling, a hold or its end brings about in a tournament."""
