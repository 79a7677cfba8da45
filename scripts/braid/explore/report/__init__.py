"""The page of `braid report`: pictures by matplotlib as SVG inside one HTML file that asks nobody for anything."""
