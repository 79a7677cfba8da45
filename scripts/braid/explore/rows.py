"""Rows of a store as tables: figures by name, groups of seeds, text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from braid.experiment import flat
from braid.explore.database import FAILED, Row
from braid.explore.plan import RATE, SEED
from braid.explore.student import half_width
from braid.results import FIRST

if TYPE_CHECKING:
    import pandas

HALF = "half_width_95"
#: Figures of the usual question, first.
USUAL = ("offered", "accepted", "latency")


def _flatten(values: Mapping[str, Any], before: str, found: dict[str, Any]) -> None:
    for name, value in values.items():
        if name in ("configuration", "links", "plugins"):
            continue
        if isinstance(value, dict):
            if value.keys() == {"mean", HALF}:
                found[before + name] = value["mean"]
                found[f"{before}{name}.{HALF}"] = value[HALF]
            else:
                _flatten(value, f"{before}{name}.", found)
        elif isinstance(value, list):
            if name == "classes":
                for one in value:
                    _flatten(one, f"{before}{one['name']}.", found)
        else:
            found[before + name] = value


def figures_of(results: Mapping[str, Any]) -> dict[str, Any]:
    """Every figure that is one number or a word, by its name with dots, intervals as NAME.half_width_95; those of the
    usual question also by their short names (latency, accepted, ...)."""
    found: dict[str, Any] = {}
    classes = results.get("classes") or [{}]
    for short, name in FIRST.items():
        value = classes[0].get(name)
        if isinstance(value, dict):
            found[short] = value["mean"]
            found[f"{short}.{HALF}"] = value[HALF]
        elif value is not None:
            found[short] = value
    _flatten(results, "", found)
    return found


def differing(rows: Sequence[Row]) -> list[str]:
    """The keys in which the rows differ, seeds left out."""
    values: dict[str, set[str]] = {}
    flats = [flat(row.configuration) for row in rows]
    names = dict.fromkeys(name for one in flats for name in one)
    for one in flats:
        for name in names:
            values.setdefault(name, set()).add(json.dumps(one.get(name)))
    return [name for name in names if len(values[name]) > 1 and name != SEED]


def keys_of(rows: Sequence[Row]) -> list[str]:
    """The keys that a table of these rows shows: those that were varied, then those that differ besides."""
    flats = [flat(row.configuration) for row in rows]
    different = set(differing(rows))
    varied = dict.fromkeys(key for row in rows for key in row.varied if key != SEED)
    first = [key for key in varied if key in different or len(rows) == 1]
    policies = [key for key in first if key != RATE]
    rest = [key for key in differing(rows) if key not in first and _stands_alone(key, first, flats)]
    return [*policies, *rest, *(key for key in first if key == RATE)]


def _stands_alone(key: str, first: Sequence[str], flats: Sequence[Mapping[str, Any]]) -> bool:
    """Does a key differ among rows that are alike in the keys before? Else it hangs on them (a policy's own key)."""
    seen: dict[str, str] = {}
    for one in flats:
        alike = json.dumps([one.get(name) for name in first])
        value = json.dumps(one.get(key))
        if seen.setdefault(alike, value) != value:
            return True
    return False


def frame(rows: Sequence[Row]) -> pandas.DataFrame:
    """A row a point: keys, seed, every figure, status and message."""
    import pandas as pd

    keys = keys_of(rows)
    table = []
    for row in rows:
        configuration = flat(row.configuration)
        figures = figures_of(row.results) if row.results is not None and row.status != FAILED else {}
        own = {"seed": row.seed, "status": row.status, "message": row.message, "command": row.command}
        table.append({**{key: configuration.get(key) for key in keys}, **own, **{**figures, "seed": row.seed}})
    return pd.DataFrame(table)


@dataclass(frozen=True)
class Value:
    """A figure over seeds: the mean, half the width of its 95 % interval (None: unknown), how many seeds."""

    mean: float
    half: float | None
    seeds: int

    def __str__(self) -> str:
        return f"{self.mean:.5g}" + (f" ± {self.half:.2g}" if self.half is not None else "")


@dataclass(frozen=True)
class Group:
    """The runs of one configuration, which differ in their seed."""

    keys: dict[str, Any]
    rows: list[Row]

    @property
    def good(self) -> list[Row]:
        """Those with results."""
        return [row for row in self.rows if row.status != FAILED and row.results is not None]

    @property
    def saturated(self) -> bool:
        """More than half of them."""
        verdicts = [bool(row.results["saturated"]) for row in self.good if row.results]
        return 2 * sum(verdicts) > len(verdicts)

    def value(self, name: str) -> Value | None:
        """A figure: of one seed with the run's own interval, of several with Student's t over the seeds."""
        figures = [figures_of(row.results) for row in self.good if row.results]
        values = [one[name] for one in figures if isinstance(one.get(name), (int, float))]
        if not values:
            return None
        if len(values) == 1:
            return Value(float(values[0]), figures[0].get(f"{name}.{HALF}"), 1)
        return Value(fmean(values), half_width(values), len(values))


def groups(rows: Iterable[Row]) -> list[Group]:
    """Rows by configuration without the seed, in the order in which each is first met."""
    rows = list(rows)
    keys = keys_of(rows)
    found: dict[str, Group] = {}
    for row in rows:
        configuration = flat(row.configuration)
        configuration.pop(SEED, None)
        name = json.dumps([configuration, row.version], sort_keys=True)
        chosen = {key: configuration.get(key) for key in keys}
        found.setdefault(name, Group(chosen, [])).rows.append(row)
    return list(found.values())


def name_of(keys: Mapping[str, Any], without: str | None = None) -> str:
    """Values that speak for themselves, numbers with their key."""
    words = []
    for key, value in keys.items():
        if key != without and value is not None:
            speaks = isinstance(value, str) and value
            words.append(value if speaks else f"{key.partition('.')[2]} {value}")
    return ", ".join(words)


def in_order(some: Sequence[Group]) -> list[Group]:
    """Sorted by their keys: numbers as numbers, words as words."""

    def place(group: Group) -> list[Any]:
        return [
            (0, value, "") if isinstance(value, (int, float)) else (1, 0, str(value)) for value in group.keys.values()
        ]

    return sorted(some, key=place)


def verdict(group: Group) -> str:
    """Of a group, for people."""
    failed = len(group.rows) - len(group.good)
    said = [] if not failed else ["failed" if failed == len(group.rows) else f"{failed} of {len(group.rows)} failed"]
    if group.good and group.saturated:
        said.append("saturated")
    return ", ".join(said)


def table(some: Sequence[Group], columns: Sequence[str] = USUAL, title: str | None = None) -> Any:
    """For rich: a line a group."""
    from rich import box
    from rich.table import Table

    keys = list(some[0].keys) if some else []
    seeds = max((len(group.rows) for group in some), default=1)
    shown = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for key in keys:
        shown.add_column(key.partition(".")[2] or key, overflow="fold")
    if seeds > 1:
        shown.add_column("seeds", justify="right")
    for column in columns:
        shown.add_column(column, justify="right", overflow="fold")
    shown.add_column("")
    for group in some:
        cells = ["" if value is None else f"{value}" for value in group.keys.values()]
        if seeds > 1:
            cells.append(str(len(group.good)))
        cells += [str(group.value(column) or "") for column in columns]
        shown.add_row(*cells, verdict(group))
    return shown


def plain_table(rows: Sequence[Mapping[str, Any]]) -> Any:
    """For rich: dictionaries with the same names, each a line."""
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    names = [name for name in rows[0] if name != "message" or any(row["message"] for row in rows)]
    for name in names:
        numbers = all(row[name] is None or isinstance(row[name], (int, float)) for row in rows)
        shown.add_column(name.partition(".")[2] or name, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(_cell(row[name]) for name in names))
    return shown


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
