"""How good estimates are."""
