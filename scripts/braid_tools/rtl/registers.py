"""Which registers of the RTL have a reset: each must, or a comment `// no reset: REASON` stands above its block.

Reads the text: a register is what an `always_ff` block assigns; it has a reset if the part behind `if (!rst_ni)`
assigns it, too.
"""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"^( *)always_ff @\([^)]*\) begin\n(.*?)^\1end$", re.DOTALL | re.MULTILINE)
ASSIGNED = re.compile(r"(?<![\w.])([a-z]\w*)(?:\[[^\n]*?\])* *<= ")
RESET = re.compile(r"if \(!rst_ni\) (?:begin\n(.*?)\n *end else|([^\n]*)\n)", re.DOTALL)
REASON = "// no reset: "


def without_reset(text: str) -> list[str]:
    """Registers of a module's text that no reset sets, in the order of their first assignment."""
    missing: list[str] = []
    for block in BLOCK.finditer(text):
        above = text[: block.start()].rstrip("\n").rpartition("\n")[2]
        if REASON in above:
            continue
        body = block[2]
        reset = RESET.search(body)
        set_there = set(ASSIGNED.findall((reset[1] or reset[2]) + "\n")) if reset else set()
        assigned = dict.fromkeys(ASSIGNED.findall(body))
        missing += [name for name in assigned if name not in set_there and name not in missing]
    return missing


def complaints(files: list[Path]) -> list[str]:
    """A line for each register without reset and reason."""
    return [
        f"{file.name}: {name} has no reset; expected one, or `{REASON}REASON` above its block"
        for file in files
        for name in without_reset(file.read_text())
    ]
