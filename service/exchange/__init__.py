"""Games played on 18xx.games: reading their exports and replaying them by our rules.

Knows no mail, no database and no command line.
"""
