"""Work that may take too long or too much: processes of their own, which can be stopped."""
