"""The table: a row for each key of BookSim 2 (commit 28f4329) and of those who embed it. A new key is a row more."""

from __future__ import annotations

from braid.booksim.keys import embedding, network, reports, router, routing, sampling, traffic
from braid.booksim.table import Row

#: By name, in the order in which an experiment says what became of them.
ROWS: dict[str, Row] = {
    row.key: row for part in (network, routing, router, traffic, sampling, reports, embedding) for row in part.ROWS
}
