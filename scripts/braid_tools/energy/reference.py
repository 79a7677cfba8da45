"""DSENT's figures of routers and links (tb/reference/dsent.csv, written by energy.dsent)."""

from __future__ import annotations

import csv

from braid_tools.program import ROOT

CSV = ROOT / "tb" / "reference" / "dsent.csv"
NODES = (45, 22)  # nm

Row = dict[str, float]


def rows(role: str, node: int) -> list[Row]:
    """DSENT's figures of routers."""
    with CSV.open() as file:
        return [
            {name: float(value) for name, value in row.items() if value and name != "role"}
            for row in csv.DictReader(file)
            if row["role"] == role and int(row["node"]) == node
        ]
