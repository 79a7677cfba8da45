"""Paper diamond-rings."""
