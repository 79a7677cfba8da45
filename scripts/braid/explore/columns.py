"""Which figures a table shows: those that somebody chose, or those of the usual question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from braid.errors import InputError
from braid.explore.rows import HALF, USUAL, Group
from braid.explore.where import nearest
from braid.figures import declared
from braid.results import FIRST

#: What a design costs: shown where the designs of a table differ in it.
COST = ("energy.pj_per_flit", "area.um2")
#: Figures of a user's own routing algorithm or scheduler, of any name.
OWN = ("routing.", "scheduler.")
#: Of runs without packets of the usual kind.
OTHERWISE = ("broadcast.broadcasts_per_kilocycle", "stream.iterations_per_kilocycle")


def usual_columns(some: Sequence[Group]) -> list[str]:
    """Of the usual figures those that there are, else the broadcast's or the program's own; where routers differ in
    area, what they cost."""

    def there(names: Iterable[str]) -> list[str]:
        return [name for name in names if any(group.value(name) for group in some)]

    areas = {value.mean for group in some if (value := group.value("area.um2")) is not None}
    return (there(USUAL) or there(OTHERWISE)) + (there(COST) if len(areas) > 1 else [])


def _names(schema: Mapping[str, Any], before: str = "") -> Iterable[str]:
    for name, one in schema.get("properties", {}).items():
        if one.get("properties"):
            yield from _names(one, f"{before}{name}.")
        elif one.get("type") not in ("array", "object"):
            yield before + name


@lru_cache(maxsize=1)
def _of_schema() -> tuple[frozenset[str], frozenset[str]]:
    """Names of all figures that a run may have, and of those that each class of traffic has."""
    schema = declared()["schema"]
    of_class = frozenset(_names(schema["properties"]["classes"]["items"]))
    return frozenset({*FIRST, *_names(schema)}), of_class


def check_column(name: str, where: str) -> None:
    """Before anything runs. Raises InputError of a figure that no run has; a class may have any name."""
    every, of_class = _of_schema()
    figure = name.removesuffix(f".{HALF}")
    if figure in every or figure.partition(".")[2] in of_class:
        return
    if name.startswith(OWN):
        return
    raise InputError(f'{where}: no figure is called "{name}"{nearest(name, {*every, *of_class})}')


def columns_of(text: str, where: str) -> list[str]:
    """Names with commas between them, checked."""
    names = [name.strip() for name in text.split(",")] if text else []
    for name in names:
        check_column(name, where)
    return names
