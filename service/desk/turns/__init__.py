"""A player's mail for a seat: read, carried out, answered; what it may ask and take back."""
