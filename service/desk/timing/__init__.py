"""Decides what Waybill does by itself at a certain time: remind, take leave, move, send news."""
