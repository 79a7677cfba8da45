"""Other simulators whose curves Braid is held against."""
