"""Decides what Waybill does with each email, stores the result, and emails everybody concerned."""
