"""What time brings about: clocks, flags, the caretaker, fixed times for mails, digests."""
