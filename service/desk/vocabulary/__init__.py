"""Decides which commands there are, who may write them where and when, and what does each."""
