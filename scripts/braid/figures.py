"""Figures with their units and intervals, as Braid declares them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from braid import native
from braid.child import output_of


@lru_cache(maxsize=1)
def declared() -> dict[str, Any]:
    """{"schema": docs/results.schema.json of this Braid}: every figure with `description` and `unit`."""
    core = native.core()
    if core is not None:
        return json.loads(core.declared())
    return {"schema": json.loads(output_of("list", "schema"))}


class Estimate(float):
    """A sampled mean. It is a float; `interval` is the 95 % confidence interval, `half_width` half its width (None with
    fewer than two batches), `unit` the figure's unit."""

    unit: str
    half_width: float | None

    def __new__(cls, mean: float, half_width: float | None, unit: str) -> Estimate:  # noqa: D102
        self = super().__new__(cls, mean)
        self.half_width = half_width
        self.unit = unit
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Estimate, (float(self), self.half_width, self.unit)

    @property
    def mean(self) -> float:
        """The mean over all samples."""
        return float(self)

    @property
    def interval(self) -> tuple[float, float] | None:
        """(low, high) of the 95 % confidence interval."""
        return None if self.half_width is None else (self - self.half_width, self + self.half_width)

    def __str__(self) -> str:
        spread = "" if self.half_width is None else f" ± {self.half_width:.3g}"
        return f"{float(self):.6g}{spread}{' ' + self.unit if self.unit else ''}"

    __repr__ = __str__


class Measure(float):
    """A number with its unit."""

    unit: str

    def __new__(cls, value: float, unit: str) -> Measure:  # noqa: D102
        self = super().__new__(cls, value)
        self.unit = unit
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Measure, (float(self), self.unit)

    def __str__(self) -> str:
        return f"{float(self):.6g}{' ' + self.unit if self.unit else ''}"

    __repr__ = __str__


def _schema_of(value: Any, schema: dict[str, Any]) -> dict[str, Any]:
    return schema.get("items", {}) if isinstance(value, list) else schema


def figure(value: Any, schema: dict[str, Any], unit: str = "") -> Any:
    """A value of a results file as users see it. A part without a unit of its own has that of the whole."""
    unit = schema.get("unit", unit)
    if isinstance(value, dict):
        if set(value) == {"mean", "half_width_95"}:
            return Estimate(float("nan") if value["mean"] is None else value["mean"], value["half_width_95"], unit)
        return Figures(value, schema, unit)
    if isinstance(value, list):
        return [figure(one, _schema_of(value, schema), unit) for one in value]
    number = isinstance(value, float) or (isinstance(value, int) and "number" in schema.get("type", ""))
    return Measure(value, unit) if number else value


class Figures(Mapping[str, Any]):
    """Figures by name: `figures.hops_mean_links` or `figures["hops_mean_links"]`. A name without its unit will do where
    it is the only one: `figures.hops`."""

    def __init__(self, values: dict[str, Any], schema: dict[str, Any], unit: str = "") -> None:
        self._values = values
        self._schema = schema
        self._unit = unit

    def __getitem__(self, name: str) -> Any:
        return figure(self._values[name], self._properties().get(name, {}), self._unit)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._values:
            return self[name]
        if name + self._suffix(name) in self._values:
            return self[name + self._suffix(name)]
        longer = [known for known in self._values if known.startswith(name + "_")]
        if len(longer) == 1:
            return self[longer[0]]
        among = ", ".join(longer or self._values)
        raise AttributeError(f"no figure is called {name}; {'there are' if longer else 'known'}: {among}")

    def __dir__(self) -> Sequence[str]:
        return [*super().__dir__(), *self._values]

    def meaning(self, name: str) -> str:
        """What a figure counts."""
        return self._properties().get(name, {}).get("description", "")

    def to_dict(self) -> dict[str, Any]:
        """As in the results file."""
        return self._values

    def _suffix(self, name: str) -> str:
        """The unit that the name of a figure ends with."""
        for known, schema in self._properties().items():
            suffix = "_" + schema.get("unit", "").replace("/", "_per_", 1).replace("/", "_")
            if known == name + suffix:
                return suffix
        return "_"

    def _properties(self) -> dict[str, Any]:
        return self._schema.get("properties", {})

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {self[name]}" for name in self)
