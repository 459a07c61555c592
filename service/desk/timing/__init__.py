"""Decides what Waybill does when a clock runs out or a fixed hour comes."""
