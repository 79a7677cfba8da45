"""tentacle-routing."""
