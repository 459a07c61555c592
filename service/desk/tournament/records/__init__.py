"""Decides what people read about tournaments: lists and standings."""
