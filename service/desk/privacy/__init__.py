"""Decides what people may know and delete of what is stored about them."""
