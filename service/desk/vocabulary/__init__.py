"""Decides which commands exist, who may write them where and when, and what runs each."""
