"""Each paper's mechanism on the networks of the others."""
