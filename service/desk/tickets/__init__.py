"""Decides what follows from an answer of somebody without a seat whom Waybill has asked."""
