"""The packet log's two forms say the same, and the name says which; what is in it, test_account.py checks."""

import csv
import subprocess
from pathlib import Path

import pyarrow.parquet
import pytest
from braid_tools.program import BRAID, ROOT, braid

EXPERIMENT = ROOT / "tb" / "experiments" / "mesh_messages.toml"
SHORT = {"batch_cycles": 500, "max_warmup_cycles": 1000, "measure_cycles": 1000, "max_drain_cycles": 0}
SETTINGS = [word for key, value in SHORT.items() for word in ("--set", f"simulation.{key}={value}")]


def log(file: Path) -> Path:
    braid("run", EXPERIMENT, *SETTINGS, "--quiet", "--log", file)
    return file


def test_parquet_holds_what_csv_holds(tmp_path: Path) -> None:
    with log(tmp_path / "log.csv").open(newline="") as text:
        lines = list(csv.DictReader(text))
    table = pyarrow.parquet.read_table(log(tmp_path / "log.parquet"))
    assert table.column_names == list(lines[0])
    assert table.num_rows == len(lines) > 1000
    empty = 0
    for line, row in zip(lines, table.to_pylist(), strict=True):
        assert line == {name: "" if value is None else str(value) for name, value in row.items()}
        empty += row["delivered"] is None
    assert 0 < empty < len(lines), "packets are under way when the run ends"


def test_columns_are_those_of_the_documentation(tmp_path: Path) -> None:
    documented = []
    for line in (ROOT / "docs" / "packet-log.md").read_text().splitlines():
        if line.startswith("| `"):
            documented += [word.strip("` ") for word in line.split("|")[1].split(",")]
    assert documented == log(tmp_path / "log.csv").open().readline().strip().split(",")


@pytest.mark.parametrize("name", ["log.txt", "csv", "log.parquet.txt", "log.csv.gz"])
def test_any_other_name_is_refused_and_nothing_written(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    done = subprocess.run(
        [BRAID, "run", EXPERIMENT, *SETTINGS, "--log", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.strip() == f"braid: {file}: a packet log is a .csv or a .parquet file"
    assert not list(tmp_path.iterdir())


def test_nothing_escapes_where_nothing_waits(tmp_path: Path) -> None:
    """At hardly any load an adaptive VC is always free, and VC 0 of the injection link is no escape."""
    file = tmp_path / "light.csv"
    light = {"traffic.rate_flits_per_node_cycle": 0.002, "traffic.flits": 1, "simulation.measure_cycles": 10000}
    words = [word for key, value in light.items() for word in ("--set", f"{key}={value}")]
    braid("run", ROOT / "tb" / "experiments" / "mesh_adaptive.toml", *words, "--quiet", "--log", file)
    with file.open(newline="") as text:
        escapes = [line["escapes"] for line in csv.DictReader(text)]
    assert len(escapes) > 1000
    assert set(escapes) == {"0"}


def test_threads_change_no_line(tmp_path: Path) -> None:
    one = log(tmp_path / "one.csv").read_text()
    braid("run", EXPERIMENT, *SETTINGS, "--quiet", "--threads", "2", "--log", tmp_path / "two.csv")
    assert (tmp_path / "two.csv").read_text() == one
