"""Hexes, tiles and the stock chart as shapes; no position, no company, no rule of a title."""
