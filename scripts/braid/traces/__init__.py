"""Others' traces as traces to replay: `braid import netrace` and `braid import noxim` (docs/recipes/traces.md)."""
