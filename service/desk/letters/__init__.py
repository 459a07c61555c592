"""What goes out: pages made into letters, who is told what, what did not arrive."""
