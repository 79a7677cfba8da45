"""Seeded faults of the C++."""
