"""The director's desk: who acts there, what the words ask, what comes of them, who is told."""
