"""Figures as they are against figures as the account has them, leaf by leaf."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from braid_tools.account.figures import HalfWidth
from braid_tools.account.links import Between
from braid_tools.account.verdicts import Near


class Account:
    """Compares two trees leaf by leaf."""

    def __init__(self) -> None:
        self.compared = 0
        self.complaints: list[str] = []

    def compare(self, path: str, expected: Any, actual: Any) -> None:
        """Complains of every leaf that differs, is missing, or is not known."""
        if isinstance(expected, dict) and isinstance(actual, dict):
            for key in actual.keys() - expected.keys():
                self.complaints.append(f"unknown figure {path}.{key}".replace(" .", " "))
            for key, value in expected.items():
                name = f"{path}.{key}" if path else key
                if key not in actual:
                    self.complaints.append(f"{name} is missing")
                else:
                    self.compare(name, value, actual[key])
        elif isinstance(expected, list) and isinstance(actual, list):
            if len(expected) != len(actual):
                self.complaints.append(f"{path} has {len(actual)} entries, the account {len(expected)}")
            for i, (mine, theirs) in enumerate(zip(expected, actual, strict=False)):
                self.compare(f"{path}[{i}]", mine, theirs)
        else:
            self.compared += 1
            if not same(expected, actual):
                self.complaints.append(f"{path} is {actual!r}, the account says {shown(expected)}")


def same(expected: Any, actual: Any) -> bool:
    """Whether a leaf is what the account says; real numbers to the ten digits that are printed."""
    if isinstance(actual, (dict, list)) or isinstance(expected, (dict, list)):
        return False
    if isinstance(expected, (str, bool)) or isinstance(actual, (str, bool)):
        return type(expected) is type(actual) and expected == actual
    if isinstance(expected, HalfWidth) and expected.value is None:
        expected = None
    if expected is None or actual is None:
        return expected is actual
    if isinstance(expected, Between):
        slack = 1e-9 * abs(actual)
        return float(expected.low) - slack <= actual <= float(expected.high) + slack
    if isinstance(expected, HalfWidth):
        return digits_agree(expected.value, actual) or abs(expected.value - actual) < 1e-13 * abs(expected.mean)
    if isinstance(expected, int):
        return expected == actual
    if isinstance(expected, Near):
        return digits_agree(float(expected), actual) or abs(expected - actual) < 1e-13 * abs(expected.scale)
    return digits_agree(float(expected), actual)


def digits_agree(expected: float, actual: float) -> bool:
    """Ten significant digits; a value within a rounding error of the middle of two goes either way."""
    if expected == 0 or actual == 0:
        return expected == actual
    unit = 10.0 ** (math.floor(math.log10(abs(expected))) - 9)
    return abs(expected - actual) <= 0.5001 * unit


def shown(expected: Any) -> str:
    """An expectation as text."""
    if isinstance(expected, Between):
        return f"{float(expected.low):.10g} to {float(expected.high):.10g}"
    if isinstance(expected, HalfWidth):
        return "None" if expected.value is None else f"{expected.value:.10g}"
    return f"{float(expected):.10g}" if isinstance(expected, Fraction) else repr(expected)
