"""Energy and area of a run: that they are the sums of their parts. What an event and a part take is held elsewhere, to
DSENT's figures (tb/python/energy) and to counts by hand (tb/tests/models/experiment/energy_test.cpp)."""

from __future__ import annotations

from braid_tools.account.figures import Tree
from braid_tools.account.links import Between

#: Section -> the figure that is a sum, and its parts.
SUMS = {
    "energy": ("pj_per_flit", "{}_pj_per_flit", ("buffers", "arbitration", "crossbars", "links", "lanes")),
    "area": ("um2", "{}_um2", ("buffers", "crossbars", "allocators", "circuits")),
}
ROUNDING = 1e-9  # of ten printed digits


def energy(results: Tree) -> Tree:
    """The sections that the results have, with the sums as the account has them."""
    found: Tree = {}
    for section, (total, name, parts) in SUMS.items():
        if section not in results:
            continue
        theirs = results[section]
        found[section] = dict(theirs)
        values = [theirs[name.format(part)] for part in parts]
        if None not in values:
            whole = sum(values)
            found[section][total] = Between(whole * (1 - ROUNDING), whole * (1 + ROUNDING))
    return found
