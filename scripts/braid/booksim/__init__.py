"""BookSim 2's configurations as experiments: `braid import booksim` (docs/recipes/booksim.md)."""
