"""Decides what Waybill does on nothing but an address in From."""
