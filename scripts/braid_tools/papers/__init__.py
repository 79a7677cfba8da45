"""The papers whose figures Braid regenerates, a room each."""
