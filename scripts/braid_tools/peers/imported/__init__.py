"""BookSim 2's own configuration files against what `braid import booksim` makes of them."""
