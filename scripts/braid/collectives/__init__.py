"""Collectives of machine learning on a network of Braid's: Chakra's execution traces, replayed (docs/chakra.md)."""
