"""Games played on 18xx.games: reads their exports and replays them by Waybill's rules.

Knows no email, no database and no command line.
"""
