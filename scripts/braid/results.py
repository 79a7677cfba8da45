"""What a run found out."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from braid.errors import BraidError
from braid.experiment import Experiment, flat
from braid.figures import Estimate, Figures, Measure, declared

if TYPE_CHECKING:
    import pandas

#: Figures of the usual question, of the first class of traffic: name in Python -> name in the results.
FIRST = {
    "latency": "packet_latency_cycles",
    "network_latency": "network_latency_cycles",
    "accepted": "accepted_flits_per_node_cycle",
    "offered": "offered_flits_per_node_cycle",
    "hops": "hops_mean_links",
}


class Result(Figures):
    """The figures of one run, as docs/results.md lists them, each with its unit and, where it is sampled, its interval.

    `result.latency`, `result.accepted`, `result.offered`, `result.network_latency`, `result.hops` are those of the
    first
    class of traffic; every other figure has the name of the results file: `result.conservation.packets_delivered`.
    """

    def __init__(self, values: dict[str, Any], experiment: Experiment | None = None) -> None:
        super().__init__(values, declared()["schema"])
        self.experiment = experiment

    @classmethod
    def from_json(cls, text: str, experiment: Experiment | None = None) -> Result:
        """Of the text of a results file."""
        return cls(json.loads(text), experiment)

    def __getattr__(self, name: str) -> Any:
        if name in FIRST and self._values.get("classes"):
            return self["classes"][0][FIRST[name]]
        return super().__getattr__(name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Result, (self._values, self.experiment)

    @property
    def name(self) -> str:
        """`experiment.name`."""
        return self._values["configuration"]["experiment"]["name"]

    @property
    def saturated(self) -> bool:
        """Do the figures of delivered packets leave many out?"""
        return self._values["saturated"]

    def rows(self) -> Iterator[tuple[str, Any, str]]:
        """(name, value, meaning) of each figure that is one number, a text or a verdict."""
        yield from _rows(self, "")

    def to_series(self) -> pandas.Series:
        """Every figure that is one number or a word, by its name with dots; intervals as NAME.half_width_95."""
        import pandas as pd

        row: dict[str, Any] = {}
        for name, value, _ in self.rows():
            row[name] = float(value) if isinstance(value, float) else value
            if isinstance(value, Estimate):
                row[name + ".half_width_95"] = value.half_width
        return pd.Series(row, name=self.name)

    def __repr__(self) -> str:
        return "\n".join([_head(self), *(f"  {name:<52} {_shown(value)}" for name, value, _ in self.rows())])

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr title="{html.escape(meaning)}"><td>{html.escape(name)}</td><td>{html.escape(_shown(value))}</td></tr>'
            for name, value, meaning in self.rows()
        )
        head = "<tr><th>figure</th><th>value</th></tr>"
        return f"<table><caption>{html.escape(_head(self))}</caption>{head}{body}</table>"

    def __rich__(self) -> Any:
        from rich.table import Table

        table = Table("figure", "value", title=_head(self))
        for name, value, _ in self.rows():
            table.add_row(name, _shown(value))
        return table


def _shown(value: Any) -> str:
    return str(value)


def _head(result: Result) -> str:
    verdict = result._values.get("verdict")
    state = (
        verdict["what"]
        if verdict
        else "saturated"
        if result.saturated
        else "steady"
        if result["steady"]
        else "not steady"
    )
    return f"{result.name}: {state}"


def _rows(figures: Figures, before: str) -> Iterator[tuple[str, Any, str]]:
    for name in figures:
        value = figures[name]
        if name in ("configuration", "links", "plugins"):
            continue
        if isinstance(value, Figures):
            yield from _rows(value, f"{before}{name}.")
        elif isinstance(value, list) and value and isinstance(value[0], Figures) and name == "classes":
            for one in value:
                yield from _rows(one, f"{before}{one['name']}.")
        elif isinstance(value, (bool, int, float, str, Measure)):
            yield before + name, value, figures.meaning(name)


class Results(list[Result]):
    """The results of several runs, in the order of their experiments. One that failed is a Failure."""

    def to_pandas(self) -> pandas.DataFrame:
        """A row a run: the keys in which the experiments differ, then every figure that is one number or a word."""
        import pandas as pd

        keys = _differing([flat(result.to_dict().get("configuration", {})) for result in self])
        rows = []
        for result in self:
            configuration = flat(result.to_dict().get("configuration", {}))
            figures = {} if isinstance(result, Failure) else result.to_series().to_dict()
            error = {"error": str(result.error)} if isinstance(result, Failure) else {}
            rows.append({**{key: configuration.get(key) for key in keys}, **figures, **error})
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        failed = sum(isinstance(result, Failure) for result in self)
        return f"Results({len(self)} runs" + (f", {failed} failed)" if failed else ")")

    def _repr_html_(self) -> str:
        return self.to_pandas()._repr_html_()  # pyright: ignore


class Failure(Result):
    """In the place of a result: `error` says why there is none."""

    def __init__(self, error: BraidError, experiment: Experiment) -> None:
        super().__init__({"configuration": experiment.configuration, "saturated": False, "steady": False}, experiment)
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        return Failure, (self.error, self.experiment)

    def __repr__(self) -> str:
        return f"{self.name}: {self.error}"


def _differing(all_keys: list[dict[str, Any]]) -> list[str]:
    names = dict.fromkeys(name for keys in all_keys for name in keys)
    return [name for name in names if len({json.dumps(keys.get(name)) for keys in all_keys}) > 1]
