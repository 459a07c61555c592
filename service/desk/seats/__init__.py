"""Decides who acts for a seat at what time: player, deputy, standby, or nobody."""
