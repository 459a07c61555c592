"""Mail in and out: servers, bytes into a player's lines, pages into messages, whose address it is.

Knows no rule and no position.
"""
