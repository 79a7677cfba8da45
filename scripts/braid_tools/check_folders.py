"""The folder dependency check: routing <- traffic <- models <- tb, as docs/architecture.md draws it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from braid_tools.program import ROOT

MAY_USE = {
    "routing": {"routing"},
    "traffic": {"routing", "traffic"},
    "models": {"routing", "traffic", "models"},
    "tb": {"routing", "traffic", "models", "tb"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def violations(root: Path) -> list[str]:
    """One line for each #include that points against the order of the folders."""
    found = []
    for folder, allowed in MAY_USE.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            for include in INCLUDE.findall(path.read_text()):
                if include.split("/")[0] not in allowed:
                    found.append(f"{path.relative_to(root)}: includes {include}, which {folder}/ may not use")
    return found


def main() -> int:
    """Prints the violations."""
    found = violations(ROOT)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
