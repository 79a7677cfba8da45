"""Braid: routers that carry streams and packets over one network.

    import braid

    result = braid.run(braid.mesh(8, 8, vcs=4).with_(traffic__rate_flits_per_node_cycle=0.3))
    result.latency.mean, result.latency.interval

Experiment, mesh, torus, cube, butterfly, flattened_butterfly, dragonfly, chiplet_chain, tree, hexagonal, from_networkx:
what is simulated.
run, run_many: figures with unit and interval. sweep: a table of many runs.
Network: a network stepped cycle by cycle. braid.plot: curves and maps. Errors: InputError (file, line, column,
nearest),
DeadlockError. `python -m braid` is the program `braid`.
"""

from __future__ import annotations

from braid import plot
from braid.errors import BraidError, DeadlockError, InputError
from braid.experiment import (
    Experiment,
    butterfly,
    chiplet_chain,
    cube,
    dragonfly,
    flattened_butterfly,
    hexagonal,
    mesh,
    torus,
    tree,
)
from braid.explore.sweep import sweep
from braid.figures import Estimate, Figures, Measure
from braid.graphs import from_networkx
from braid.network import Network
from braid.results import Failure, Result, Results
from braid.running import processors, run, run_many

__all__ = [
    "BraidError",
    "DeadlockError",
    "Estimate",
    "Experiment",
    "Failure",
    "Figures",
    "InputError",
    "Measure",
    "Network",
    "Result",
    "Results",
    "butterfly",
    "chiplet_chain",
    "cube",
    "dragonfly",
    "flattened_butterfly",
    "from_networkx",
    "hexagonal",
    "mesh",
    "plot",
    "processors",
    "run",
    "run_many",
    "sweep",
    "torus",
    "tree",
]
