"""What each released format stored, and the script that writes it."""
