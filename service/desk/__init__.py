"""The moderator's desk: what a mail asks for is done, or refused, and told to all concerned."""
