"""Scripts around the braid program. They exchange files with it and nothing else."""
