"""Whether what runs say of themselves is true: the verdict of saturation, the coverage of intervals."""
