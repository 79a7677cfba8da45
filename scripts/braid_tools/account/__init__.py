"""The independent account of a run."""
