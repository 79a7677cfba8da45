"""Table I of sat-fairness: average, minimum and maximum of the nodes' throughput on 256 and 1024 nodes."""

from __future__ import annotations

from braid_tools.comparison import Row
from braid_tools.papers.sat.points import NONE, PATTERNS, THROUGHPUT, ByPoint, Point, Policy, ring, spread, tree

# Average, minimum and maximum for uniform, hot region, transpose.
TABLE: dict[int, dict[Policy, tuple[float, ...]]] = {
    256: {
        NONE: (0.531, 0.517, 0.542, 0.213, 0.126, 0.622, 0.418, 0.320, 0.779),
        ring(32, 32): (0.529, 0.528, 0.530, 0.205, 0.205, 0.206, 0.548, 0.547, 0.550),
        ring(48, 48): (0.528, 0.527, 0.530, 0.205, 0.204, 0.206, 0.555, 0.553, 0.556),
        ring(56, 56): (0.529, 0.526, 0.530, 0.206, 0.205, 0.208, 0.546, 0.545, 0.549),
        tree(2, 2): (0.529, 0.529, 0.530, 0.204, 0.204, 0.205, 0.575, 0.574, 0.575),
        tree(2, 3): (0.530, 0.514, 0.545, 0.206, 0.192, 0.241, 0.585, 0.552, 0.679),
        tree(4, 4): (0.529, 0.528, 0.529, 0.204, 0.204, 0.205, 0.573, 0.573, 0.574),
    },
    1024: {
        NONE: (0.501, 0.496, 0.506, 0.197, 0.112, 0.598, 0.446, 0.362, 0.702),
        ring(64, 128): (0.500, 0.493, 0.507, 0.194, 0.156, 0.298, 0.502, 0.466, 0.552),
        ring(128, 128): (0.499, 0.498, 0.501, 0.192, 0.186, 0.205, 0.482, 0.476, 0.489),
        ring(192, 192): (0.500, 0.498, 0.502, 0.191, 0.186, 0.205, 0.451, 0.441, 0.461),
        ring(192, 256): (0.501, 0.493, 0.507, 0.191, 0.176, 0.229, 0.486, 0.452, 0.558),
        tree(2, 2): (0.501, 0.499, 0.502, 0.191, 0.190, 0.191, 0.536, 0.535, 0.537),
        tree(2, 3): (0.503, 0.494, 0.515, 0.192, 0.177, 0.223, 0.540, 0.506, 0.618),
        tree(4, 4): (0.501, 0.500, 0.502, 0.191, 0.190, 0.192, 0.535, 0.534, 0.536),
    },
}
TABLE_PATTERNS = ["uniform", "hot region", "transpose"]
# Minima and maxima spread the noise of N nodes; at 1024 nodes those of transpose drift with the window besides.
TOLERANCE = {256: (0.02, 0.03, 0.05), 1024: (0.04, 0.07, 0.07)}
DRIFTING = 0.10
FIGURES = (("mean", "average"), ("min", "minimum"), ("max", "maximum"))  # of the nodes, as a cell has them


def table_points(nodes: int) -> list[Point]:
    """Every cell of Table I for a number of nodes."""
    return [Point(nodes, PATTERNS[pattern], policy) for policy in TABLE.get(nodes, {}) for pattern in TABLE_PATTERNS]


def published_cell(point: Point) -> tuple[float, ...]:
    """FIGURES in flits/node/cycle as Table I has them; empty for what it does not have."""
    if point not in table_points(point.nodes):
        return ()
    p = [PATTERNS[name] for name in TABLE_PATTERNS].index(point.pattern)
    return TABLE[point.nodes][point.policy][3 * p : 3 * p + 3]


def table_rows(nodes: int, results: ByPoint) -> list[Row]:
    """Table I, nine figures a policy."""
    rows = []
    for policy in TABLE[nodes]:
        for pattern in TABLE_PATTERNS:
            point = Point(nodes, PATTERNS[pattern], policy)
            published, result = published_cell(point), results[point]
            measured = spread(result)
            drifts = nodes == 1024 and pattern == "transpose" and policy.carrier != "spanning_tree"
            for i, (key, name) in enumerate(FIGURES):
                tolerance = DRIFTING if drifts and i > 0 else TOLERANCE[nodes][i]
                quantity = f"{nodes} nodes, {policy.name}, {pattern}, {name} ({result['measured_cycles']} cycles)"
                rows.append(Row("Table I", quantity, THROUGHPUT, published[i], measured[key], tolerance))
    return rows
