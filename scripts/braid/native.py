"""The two halves that are compiled: the module _core and the program. In an installed package both lie in this
folder; in a
source tree they are where scripts/build puts them."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import braid
from braid.errors import BraidError

_HERE = Path(__file__).parent
_BUILD = _HERE.parents[1] / "build" / "release"  # of a source tree


@lru_cache(maxsize=1)
def core() -> ModuleType | None:
    """The module _core; None where only the program was built."""
    built = _BUILD / "python" / "braid"
    if not list(_HERE.glob("_core*.so")) and built.is_dir() and str(built) not in braid.__path__:
        braid.__path__.append(str(built))
    try:
        return import_module("braid._core")
    except ModuleNotFoundError:
        return None


def needed_core() -> ModuleType:
    """The module _core. Raises BraidError where it was not built."""
    module = core()
    if module is None:
        raise BraidError("braid._core is not built: run scripts/build release python, or pip install .")
    return module


def program_place() -> Path:
    """Where the program `braid` is, once it is built: what BRAID_PROGRAM names, else in this package or source tree."""
    named = os.environ.get("BRAID_PROGRAM")
    if named:
        return Path(named)
    packed = _HERE / "bin" / "braid"
    return packed if packed.is_file() else _BUILD / "braid"


def program() -> Path:
    """The program `braid`. Raises BraidError where there is none."""
    place = program_place()
    if not place.is_file():
        raise BraidError(f"the program braid is not there: expected {place}")
    return place
