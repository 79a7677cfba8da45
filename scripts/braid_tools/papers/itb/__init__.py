"""in-transit-buffers."""
