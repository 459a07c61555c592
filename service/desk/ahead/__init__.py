"""What players leave behind for later: orders, offers, votes, how they are given and told."""
