"""Papers and peers are found, each with what regenerates its figures."""

import importlib
import inspect

import pytest
from braid_tools.sources import sources


def test_the_known_ones_are_there() -> None:
    assert {"booksim", "po2", "sat", "tentacle"} <= set(sources())


@pytest.mark.parametrize("name", sources())
def test_a_source_regenerates_its_figures_into_a_study(name: str) -> None:
    signature = inspect.signature(importlib.import_module(sources()[name]).reproduce)
    assert list(signature.parameters) == ["study"]
