"""Writes hw/router_pkg.sv, tb/rtl/router_words.h and the places of the words in hw/hybrid_router_probe.sv from
hw/words.toml, so that RTL and C++ cannot diverge.

`--check` only compares: exit 1 if a file is not what words.toml says.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from braid_tools.program import ROOT

NOTE = "Generated from hw/words.toml by scripts/braid_tools/rtl/words.py; do not edit."


def camel(name: str) -> str:
    """needs_route -> NeedsRoute."""
    return "".join(part.capitalize() for part in name.split("_"))


# A size in words: a number, or the names of factors.
Size = int | list[str]


def product(size: Size, factor: Callable[[str], str]) -> str:
    """["depth", "flit_words"] -> Depth * FlitWords, if `factor` is camel()."""
    return str(size) if isinstance(size, int) else " * ".join(factor(name) for name in size)


def places(view: dict[str, Size], factor: Callable[[str], str]) -> list[tuple[str, str]]:
    """Where each word of a view begins: the sum of what is before it. Last, as `words`, the sum of all."""
    found, constant, terms = [], 0, []
    for name, size in [*((n, s) for n, s in view.items() if n != "doc"), ("words", 0)]:
        found.append((name, " + ".join([str(constant), *terms])))
        if isinstance(size, int):
            constant += size
        else:
            terms.append(product(size, factor))
    return found


def probe(words: dict, module: str) -> str:
    """The module with the places of its words between the lines that say so."""
    lines = []
    for name, view in words["view"].items():
        lines.append(f"    // {view['doc'][0].upper()}{view['doc'][1:]}.")
        for word, place in places(view, camel):
            parameter = f"{camel(name)}Words" if word == "words" else f"At{camel(name)}{camel(word)}"
            lines.append(f"    localparam int unsigned {parameter} = {place},")
    before, rest = module.split(f"    // {NOTE}\n")
    after = rest[rest.index("    // End of what is generated.\n") :]
    return f"{before}    // {NOTE}\n" + "\n".join(lines) + "\n" + after


def cpp_factor(name: str) -> str:
    """flit_words -> s.flit_words, a size; vc_words -> ProbeVc{s}.words, of another view."""
    view = name.removesuffix("_words")
    return f"s.{name}" if view in (name, "flit") else f"Probe{camel(view)}{{s}}.words"


def cpp_views(words: dict) -> list[str]:
    """A struct for each view, its members the places of its words."""
    sizes = [
        name
        for view in words["view"].values()
        for size in view.values()
        if isinstance(size, list)
        for name in size
        if cpp_factor(name).startswith("s.")
    ]
    lines = ["", "/// What the places of the probe's words depend on.", "struct ProbeSizes {"]
    lines += [f"  unsigned {name};" for name in dict.fromkeys(sizes)] + ["};"]
    for name, view in words["view"].items():
        lines += ["", f"/// Where the probe shows {view['doc']}.", f"struct Probe{camel(name)} {{"]
        lines += [f"  explicit Probe{camel(name)}(const ProbeSizes& sizes) : s(sizes) {{}}", "  ProbeSizes s;"]
        for word, place in places(view, cpp_factor):
            fits = len(f"  unsigned {word} = {place};") <= 120  # as clang-format breaks it
            lines.append(f"  unsigned {word} = {place};" if fits else f"  unsigned {word} =\n      {place};")
        lines += ["};"]
    return lines


def systemverilog(words: dict) -> str:
    """The package."""
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
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
        "  // Bits of a route: a set of ports; under adaptive routing, above it, the port of the escape path; "
        "on a torus, above it,",
        "  // the lower and the upper half of the VCs.",
        "  function automatic int unsigned route_width(routing_e routing, int unsigned ports);",
        "    return routing == RoutingMinimalAdaptive ? 2 * ports : routing == RoutingTorusXFirst ? ports + 2 : ports;",
        "  endfunction",
        "",
        "  // Circuit lanes of a port. On grids local ports come after the four directions; links of routers have one.",
        "  function automatic int unsigned lanes_at(routing_e routing, int unsigned port, int unsigned circuit_lanes);",
        "    return routing == RoutingTable || port >= 4 ? circuit_lanes : 1;",
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
    lines += cpp_views(words)
    lines += ["", "}  // namespace braid::rtl"]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Writes, or checks."""
    words = tomllib.loads((ROOT / "hw" / "words.toml").read_text())
    probe_file = ROOT / "hw" / "hybrid_router_probe.sv"
    wanted: dict[Path, str] = {
        ROOT / "hw" / "router_pkg.sv": systemverilog(words),
        ROOT / "tb" / "rtl" / "router_words.h": cpp(words),
        probe_file: probe(words, probe_file.read_text()),
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
