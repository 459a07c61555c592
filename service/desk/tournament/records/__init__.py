"""Decides what people read about tournaments and players: lists, standings, records, ratings."""
