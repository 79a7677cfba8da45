"""What holds the sources to their rules."""
