"""How Python asks the program."""

from pathlib import Path

from braid_tools.program import Run


def test_settings_become_options() -> None:
    run = Run("r", Path("e.toml"), {"a.b": True, "c.d": 0.5, "e.f": "x"})
    assert run.arguments() == ["--set", "a.b=true", "--set", "c.d=0.5", "--set", "e.f=x"]
