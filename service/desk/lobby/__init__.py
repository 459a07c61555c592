"""Decides which games begin, and what Waybill answers to strangers."""
