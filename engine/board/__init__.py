"""Shapes: hexes, tiles and the stock chart; knows no position, company or rule of a title."""
