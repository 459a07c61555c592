"""Decides what follows from an email of somebody without a seat whom Waybill has asked."""
