"""The folder check: who may use whom (docs/architecture.md, "The house"), no circle among folders; in C++, and by
python_rooms in the scripts."""

from __future__ import annotations

import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from braid_tools.gates import python_rooms
from braid_tools.gates.includes import included
from braid_tools.program import ROOT

ROUTING = ["routing/base", "routing/topology", "routing/paths", "routing/algorithm", "routing/analysis"]
TRAFFIC = ["traffic/synthetic", "traffic/streams", "traffic/broadcast", "traffic/replay"]
STREAMS = ["traffic/streams/streamit", "traffic/streams/partition", "traffic/streams/layout"]
FABRIC = [*ROUTING, "models/observe", "models/fabric"]
FAMILIES = ["hybrid", "virtual_cut_through", "po2", "ideal", "myrinet"]
INJECTION = [*FABRIC, "traffic/broadcast", "models/event_lines", "models/injection"]
WORKLOAD = [*FABRIC, *TRAFFIC, *STREAMS, "models/event_lines", "models/workload"]  # and rooms
STAGES = [*INJECTION, "models/stages/base"]  # and each room its family
ENGINE = [*INJECTION, *WORKLOAD, "models/stages/base", "models/engine"]

#: Folder: what it may use beside itself and its own sub-folders' parents. A folder that is not here may use nothing.
MAY_USE = {
    "routing/base": [],
    "routing/topology": ["routing/base"],
    "routing/paths": ["routing/base", "routing/topology"],
    "routing/paths/disjoint": ["routing/base", "routing/topology", "routing/paths"],
    "routing/algorithm": ["routing/base", "routing/topology", "routing/paths", "routing/paths/disjoint"],
    "routing/analysis": ROUTING,
    "traffic/base": ROUTING,
    **{folder: [*ROUTING, "traffic/base"] for folder in TRAFFIC},
    **{folder: [*ROUTING, "traffic/base", "traffic/streams"] for folder in STREAMS},
    "traffic/streams/layout": [*ROUTING, "routing/paths/disjoint", "traffic/base", "traffic/streams"],  # a cost's paths
    "models/observe": ["routing/base", "routing/topology"],
    "models/fabric": FABRIC,
    "models/event_lines": [*ROUTING, "models/observe", "traffic/broadcast"],
    **{f"models/families/{family}": FABRIC for family in FAMILIES},
    "models/families/hybrid": [*FABRIC, "routing/paths/disjoint"],  # the twin of its set-up
    "models/families/hybrid/planes": [*FABRIC, "models/families/hybrid"],
    "models/rtl": [*FABRIC, "models/families/hybrid"],
    "models/pins": [*ENGINE, "models/families/hybrid", "models/rtl"],
    "models/injection": INJECTION,
    "models/injection/schedulers": INJECTION,
    "models/injection/fairness": INJECTION,
    "models/workload": WORKLOAD,
    **{f"models/workload/{room}": WORKLOAD for room in ("messages", "streams", "broadcast", "replay")},
    "models/workload/synthetic": [*WORKLOAD, "models/workload/messages"],
    "models/stages/base": STAGES,
    **{f"models/stages/{family}": [*STAGES, f"models/families/{family}"] for family in FAMILIES},
    "models/stages/rtl": [*STAGES, "models/families/hybrid", "models/stages/hybrid", "models/rtl"],
    "models/stages/lines": STAGES,
    "models/stages/sat": [*STAGES, "models/injection/fairness"],
    "models/engine": ENGINE,
    "models/tlm/styles": ENGINE,
    "models/tlm": [*ENGINE, "models/tlm/styles"],
    "models/tlm/checker": ["models/tlm"],
    "models/tlm/sockets": [*ENGINE, "models/tlm/styles", "models/tlm"],
    "models/experiment": [*ENGINE, "models/workload/synthetic", "routing/paths/disjoint"],
    "models/steps": [*ENGINE, "models/experiment", "models/families/hybrid"],  # the last: what sits in its seats
    "models/icnt": [],  # others link it and nothing else of Braid
    "tb": ["routing", "traffic", "models", "tb"],
}


def room(path: str) -> str:
    """The folder of a file, as the table names it: of tb/ only the top."""
    folder = str(Path(path).parent)
    return "tb" if folder.split("/")[0] == "tb" else folder


def uses(root: Path) -> dict[tuple[str, str], list[str]]:
    """(using folder, used folder): "file includes file", each."""
    found: dict[tuple[str, str], list[str]] = {}
    for top in ("routing", "traffic", "models", "tb"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            name = str(path.relative_to(root))
            for include in included(path):
                if name.startswith("tb/examples/") and (path.parent / include).is_file():
                    continue  # a project of its own
                if room(include) != room(name):
                    found.setdefault((room(name), room(include)), []).append(f"{name} includes {include}")
    return found


def allowed(user: str, used: str) -> bool:
    """By the table."""
    return any(used == folder or (user == "tb" and used.startswith(folder + "/")) for folder in MAY_USE.get(user, []))


def violations(root: Path) -> list[str]:
    """One line for each #include that the table does not allow, and one for a circle of folders."""
    found = uses(root)
    lines = [
        f"{include}: {user} may not use {used}"
        for (user, used), includes in found.items()
        if not allowed(user, used)
        for include in includes
    ]
    graph: dict[str, set[str]] = {}
    for user, used in found:
        graph.setdefault(user, set()).add(used)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        lines.append("circle of folders: " + " uses ".join(circle))
    return lines


def main() -> int:
    """Prints the violations."""
    found = violations(ROOT) + python_rooms.violations(ROOT)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
