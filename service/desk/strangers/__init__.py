"""Decides what anybody may ask at Waybill's own address, and what the answer is."""
