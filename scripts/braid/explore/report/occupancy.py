"""What the buffers of each router hold, drawn on the topology. Results do not keep it: the same network, of the same
seed, is stepped once more through the beginning of its measurement, looked at every few cycles."""

from __future__ import annotations

from dataclasses import dataclass

from braid.errors import BraidError
from braid.experiment import Experiment
from braid.explore.database import Row
from braid.explore.report.drawing import Picture
from braid.explore.report.maps import LEFT_OUT, MOST_ROUTERS, Map, heat
from braid.network import Network

EVERY = 10  # cycles between looks
LOOKS = 200
MOST_STEPS = 4_000_000  # routers times cycles: a second or two of work


@dataclass(frozen=True)
class Held:
    """Means and greatest values over the looks, of each router in the order of the topology."""

    means: list[float]
    most: list[int]
    unit: str
    first: int  # cycle of the first look
    last: int


def held(row: Row) -> Held | None:
    """None: of a network without buffers, too large to run once more, or that cannot be built here (RTL, files)."""
    start = int((row.results or {}).get("warmup_cycles") or 0)
    needed = {name: keys for name, keys in row.configuration.items() if name not in LEFT_OUT}
    try:
        network = Network(Experiment.from_dict(needed, "the results' configuration"))
        routers = len(network.topology["routers"])
        if routers > MOST_ROUTERS or routers * (start + EVERY * LOOKS) > MOST_STEPS:
            return None
        network.step(start)
        means, most = [0.0] * routers, [0] * routers
        for _ in range(LOOKS):
            network.step(EVERY)
            for router, ports in enumerate(network.occupancy):
                here = int(ports.sum())
                means[router] += here / LOOKS
                most[router] = max(most[router], here)
    except (BraidError, ModuleNotFoundError):
        return None
    return Held(means, most, network.buffer_unit, start + EVERY, network.now)


def occupancy_map(row: Row, place: Map, name: str) -> tuple[str, Picture] | None:
    """Every router in the colour of what its buffers hold, as link_map has links."""
    import matplotlib as mpl

    found = held(row)
    if found is None:
        return None
    picture = Picture(width=5.6, height=5)
    for link in place.topology["links"]:
        line = place.line(place.names[link["from"]], place.names[link["to"]])
        picture.axes.plot(*zip(*line, strict=True), color=mpl.colors.to_hex("0.6"), linewidth=0.6)
    xs, ys = zip(*(place.places[router] for router in place.names), strict=True)
    drawn = picture.axes.scatter(xs, ys, c=found.means, cmap=heat(), vmin=0, s=place.mark_area(), marker="s", zorder=3)
    picture.say(
        drawn,
        [
            f"router {router}: holds {mean:.3g} {found.unit}, {most} at most"
            for router, mean, most in zip(place.names, found.means, found.most, strict=True)
        ],
    )
    picture.axes.set_aspect("equal")
    picture.axes.axis("off")
    bar = picture.figure.colorbar(drawn, ax=picture.axes, shrink=0.6)
    bar.set_label(f"{found.unit} held, mean of {LOOKS} looks in cycles {found.first} to {found.last}")
    bar.outline.set_visible(False)
    fullest = max(range(len(found.means)), key=lambda n: found.means[n])
    mean = sum(found.means) / len(found.means)
    ratio = found.means[fullest] / mean if mean else 0.0
    return f"Router {place.names[fullest]} holds {ratio:.1f} times the mean: {name}", picture
