"""Values of the language: int of 32 bits that wraps, float of single precision, boolean, bit, complex, arrays, structs.

Every float is rounded to single precision after every operation, as a rate computed from floats must come out the same
everywhere.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

Value = int | float | bool | complex | str | list | dict


_SINGLE = struct.Struct("f")


def single(x: float) -> float:
    try:
        return _SINGLE.unpack(_SINGLE.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def wrap(x: int) -> int:
    return (x + (1 << 31)) % (1 << 32) - (1 << 31)


def zero(base: str) -> Value:
    return {"int": 0, "bit": 0, "boolean": False, "complex": 0j}.get(base, 0.0)


def convert(value: Value, base: str) -> Value:
    """The value as the base type holds it; ValueError if it cannot."""
    if base == "int" and isinstance(value, int | float):
        return wrap(int(value))
    if base in ("float", "double") and isinstance(value, int | float):
        return single(value)
    if base == "bit" and isinstance(value, int):
        return value & 1
    if base == "boolean" and isinstance(value, int):
        return bool(value)
    if base == "complex" and isinstance(value, int | float | complex):
        return round_complex(complex(value))
    raise ValueError


def round_complex(x: complex) -> complex:
    return complex(single(x.real), single(x.imag))


def copy(value: Value) -> Value:
    """Arrays and structs are values: an assignment copies them."""
    if isinstance(value, list):
        return [copy(item) for item in value]
    if isinstance(value, dict):
        return {name: copy(item) for name, item in value.items()}
    return value


def kind_of(value: Value) -> str:
    kinds = ((bool, "a boolean"), (int, "an int"), (float, "a float"), (complex, "a complex"), (str, "a string"))
    return next((text for kind, text in kinds if isinstance(value, kind)), "an array or struct")


def divide(x: Value, y: Value) -> Value:
    if isinstance(x, int) and isinstance(y, int):
        if y == 0:
            raise ZeroDivisionError
        return -(-x // y) if (x < 0) != (y < 0) else x // y
    if y == 0 and not isinstance(x, complex):
        return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1, y)
    return x / y


def remainder(x: Value, y: Value) -> Value:
    if isinstance(x, int) and isinstance(y, int):
        return x - y * divide(x, y)
    return math.fmod(x, y)


def _shift_right(x: int, y: int) -> int:
    return x >> (y & 31)


OPERATORS: dict[str, Callable] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": divide,
    "%": remainder,
    "<<": lambda x, y: x << (y & 31),
    ">>": _shift_right,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "^": lambda x, y: x ^ y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
_NO_NUMBER = (list, dict, str)
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def binary(operator: str, x: Value, y: Value) -> Value:
    """TypeError where the operator does not fit the values."""
    if isinstance(x, _NO_NUMBER) or isinstance(y, _NO_NUMBER):
        raise TypeError
    result = OPERATORS[operator](x, y)
    return result if operator in COMPARISONS else rounded(result)


def rounded(x: Value) -> Value:
    if isinstance(x, float):
        return single(x)
    if isinstance(x, bool):
        return x
    return wrap(x) if isinstance(x, int) else round_complex(x)


def _of_float(function: Callable[[float], float]) -> Callable[[float], float]:
    def call(x: float) -> float:
        try:
            return single(function(float(x)))
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return call


def _power(x: float, y: float) -> float:
    try:
        return single(math.pow(x, y))
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def _complex_or_float(of_complex: Callable, of_float: Callable) -> Callable:
    return lambda x: round_complex(of_complex(x)) if isinstance(x, complex) else of_float(x)


def _round(x: float) -> float:
    return single(math.floor(x + 0.5))


_FLOAT = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "log", "log10", "ceil", "floor"]
FUNCTIONS: dict[str, tuple[int, Callable]] = {name: (1, _of_float(getattr(math, name))) for name in _FLOAT} | {
    "sqrt": (1, _complex_or_float(lambda x: x**0.5, _of_float(math.sqrt))),
    "exp": (1, _complex_or_float(lambda x: math.e**x, _of_float(math.exp))),
    "abs": (1, lambda x: rounded(abs(x))),
    "round": (1, _round),
    "arg": (1, lambda x: single(math.atan2(complex(x).imag, complex(x).real))),
    "csqrt": (1, lambda x: round_complex(complex(x) ** 0.5)),
    "atan2": (2, lambda y, x: single(math.atan2(y, x))),
    "pow": (2, _power),
    "max": (2, lambda x, y: max(x, y)),
    "min": (2, lambda x, y: min(x, y)),
}
EFFECTS = ("print", "println")
