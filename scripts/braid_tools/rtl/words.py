"""Writes hw/router_pkg.sv and tb/rtl/router_words.h from hw/words.toml, so that RTL and C++ cannot diverge.

`--check` only compares: exit 1 if a file is not what words.toml says.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from braid_tools.program import ROOT

NOTE = "Generated from hw/words.toml by scripts/braid_tools/rtl/words.py; do not edit."


def camel(name: str) -> str:
    """needs_route -> NeedsRoute."""
    return "".join(part.capitalize() for part in name.split("_"))


def systemverilog(words: dict) -> str:
    """The package."""
    lines = [
        "// Constants and enums that the router shares with its model.",
        f"// {NOTE}",
        "",
        "package router_pkg;",
        "",
    ]
    for constant in words["constant"]:
        lines += [
            f"  // {constant['doc']}",
            f"  parameter int unsigned {camel(constant['name'])} = {constant['value']};",
        ]
    for enum in words["enum"]:
        lines += ["", f"  // {enum['doc']}", f"  typedef enum logic [{enum['width'] - 1}:0] {{"]
        last = len(enum["values"]) - 1
        for i, (name, doc) in enumerate(enum["values"]):
            comma = "," if i < last else " "
            lines.append(f"    {camel(enum['name'])}{camel(name)} = {enum['width']}'d{i}{comma}  // {doc}")
        lines.append(f"  }} {enum['name']}_e;")
    lines += [
        "",
        "  // Bits of an index into `count` places; at least 1.",
        "  function automatic int unsigned index_width(int unsigned count);",
        "    return count > 1 ? $clog2(count) : 1;",
        "  endfunction",
        "",
        "  // Bits of a route: a set of ports; under adaptive routing, above it, the port of the escape path.",
        "  function automatic int unsigned route_width(routing_e routing, int unsigned ports);",
        "    return routing == RoutingMinimalAdaptive ? 2 * ports : ports;",
        "  endfunction",
        "",
        "endpackage",
    ]
    return "\n".join(lines) + "\n"


def cpp(words: dict) -> str:
    """The header."""
    lines = ["// Constants and enums that the RTL shares with the model.", f"// {NOTE}", "#pragma once", ""]
    lines += ["namespace braid::rtl {", ""]
    for constant in words["constant"]:
        lines += [f"/// {constant['doc']}", f"constexpr unsigned k{camel(constant['name'])} = {constant['value']};"]
    for enum in words["enum"]:
        lines += ["", f"/// {enum['doc']}"]
        lines.append(f"enum class {camel(enum['name'])} : unsigned char {{")
        for i, (name, doc) in enumerate(enum["values"]):
            lines += [f"  /// {doc}", f"  k{camel(name)} = {i},"]
        lines.append("};")
    lines += ["", "}  // namespace braid::rtl"]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Writes, or checks."""
    words = tomllib.loads((ROOT / "hw" / "words.toml").read_text())
    wanted: dict[Path, str] = {
        ROOT / "hw" / "router_pkg.sv": systemverilog(words),
        ROOT / "tb" / "rtl" / "router_words.h": cpp(words),
    }
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what hw/words.toml says: run python -m braid_tools.rtl.words")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
