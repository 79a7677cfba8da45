"""Papers and peers are found, each with what regenerates its figures."""

import importlib
import inspect

import pytest
from braid_tools.studies import studies


def test_the_known_ones_are_there() -> None:
    assert {"booksim", "po2", "sat", "tentacle"} <= set(studies())


@pytest.mark.parametrize("name", studies())
def test_every_one_regenerates_its_figures_into_a_study(name: str) -> None:
    signature = inspect.signature(importlib.import_module(studies()[name]).reproduce)
    assert list(signature.parameters) == ["study"]
