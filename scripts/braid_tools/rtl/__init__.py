"""Tools around the RTL of hw/."""
