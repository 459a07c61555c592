"""Measures of speed, each a command `waybill bench …`; docs/speed.md says what they measured."""
