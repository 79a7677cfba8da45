"""The files of the RTL, for tools that read them."""

from __future__ import annotations

from pathlib import Path

from braid_tools.program import ROOT

HW = ROOT / "hw"


def modules(folder: Path = HW) -> list[Path]:
    """The synthesizable files, the package first; not the wrappers that show registers to testbenches."""
    files = sorted(f for f in folder.glob("*.sv") if f.stem != "router_pkg" and not f.stem.endswith("_probe"))
    return [folder / "router_pkg.sv", *files]
