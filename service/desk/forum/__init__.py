"""A game and a forum: reports to paste anywhere, and a thread on a forum that speaks mail."""
