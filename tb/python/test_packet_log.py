"""The packet log's two forms say the same, and the name says which; what is in it, test_account.py checks."""

import csv
import json
import os
import resource
import subprocess
from pathlib import Path

import pyarrow.csv
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


def test_parquet_is_compressed_column_by_column(tmp_path: Path) -> None:
    """The sizes in its footer are those of the file; readers that trust them read on at the right place."""
    file = log(tmp_path / "log.parquet")
    group = pyarrow.parquet.ParquetFile(file).metadata.row_group(0)
    columns = [group.column(i) for i in range(group.num_columns)]
    assert {column.compression for column in columns} == {"GZIP"}
    ends = [column.data_page_offset + column.total_compressed_size for column in columns]
    assert [column.data_page_offset for column in columns] == [4, *ends[:-1]]
    assert group.total_byte_size == sum(column.total_uncompressed_size for column in columns)
    assert 3 * sum(column.total_compressed_size for column in columns) < group.total_byte_size


def test_parquet_takes_a_bit_a_row_to_say_which_have_a_value(tmp_path: Path) -> None:
    """Of a column of numbers: beside its values, of eight bytes each, there are those bits and the page's head."""
    file = log(tmp_path / "log.parquet")
    metadata, table = pyarrow.parquet.ParquetFile(file).metadata, pyarrow.parquet.read_table(file)
    assert metadata.num_row_groups == 1
    numbers = 0
    for i in range(metadata.num_columns):
        column = metadata.row_group(0).column(i)
        if column.physical_type != "INT64":
            continue
        values = table.num_rows - table.column(i).null_count
        bits = -(-table.num_rows // 8)
        assert bits < column.total_uncompressed_size - 8 * values < bits + 64, column.path_in_schema
        numbers += 1
    assert numbers > 10


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_log_without_paths_says_else_the_same(tmp_path: Path, form: str) -> None:
    whole, short = tmp_path / f"whole.{form}", tmp_path / f"short.{form}"
    log(whole)
    braid("run", EXPERIMENT, *SETTINGS, "--quiet", "--log", short, "--set", "log.path=false")
    read = pyarrow.csv.read_csv if form == "csv" else pyarrow.parquet.read_table
    table = read(short)
    assert "path" not in table.column_names
    assert table.equals(read(whole).drop_columns(["path"]))
    assert short.stat().st_size < whole.stat().st_size / 1.5


def test_measured_are_the_packets_that_the_results_count(tmp_path: Path) -> None:
    file, told = tmp_path / "log.csv", tmp_path / "told.json"
    braid("run", EXPERIMENT, *SETTINGS, "--quiet", "--log", file, "--json", told)
    with file.open(newline="") as text:
        lines = list(csv.DictReader(text))
    arrived = [line for line in lines if line["measured"] == "1" and line["delivered"]]
    [packets] = json.loads(told.read_text())["classes"]
    latencies = [int(line["delivered"]) - int(line["created"]) for line in arrived]
    assert len(latencies) == packets["packet_latency_distribution_cycles"]["count"]
    assert max(latencies) == packets["packet_latency_distribution_cycles"]["max"]
    assert {line["measured"] for line in lines} == {"0", "1"}


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


def run_of(cycles: int, *words: str | Path) -> tuple[int, float]:
    """Exit status and most memory in MB of a run that makes 19 packets a cycle."""
    settings = {"traffic.flits": 1, "traffic.rate_flits_per_node_cycle": 0.3, "simulation.measure_cycles": cycles}
    sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    command = [BRAID, "run", ROOT / "tb" / "experiments" / "mesh_uniform.toml", "--quiet", *sets, *words]
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.communicate()
    return process.returncode, used.ru_maxrss / 1024


@pytest.mark.parametrize("what", [["--log", "log.csv"], ["--log", "log.parquet"], ["--watch", "router=3,3"]])
def test_memory_does_not_grow_with_the_run(tmp_path: Path, what: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (short_status, short), (long_status, long) = run_of(2000, *what), run_of(20000, *what)
    assert (short_status, long_status) == (0, 0)
    assert long < short + 60, f"{short} MB, ten times as long {long} MB"


def test_full_disk_in_mid_run_leaves_nothing(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    file = tmp_path / "log.csv"
    sets = ["--set", "traffic.rate_flits_per_node_cycle=0.3", "--set", "simulation.measure_cycles=1000000000"]
    done = subprocess.run(
        [BRAID, "run", ROOT / "tb" / "experiments" / "mesh_uniform.toml", "--quiet", *sets, "--log", file],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=limit,
    )
    assert (done.returncode, done.stderr) == (1, f"braid: {file}: cannot be written: File too large\n")
    assert not list(tmp_path.iterdir())


def test_long_parquet_holds_what_csv_holds(tmp_path: Path) -> None:
    files = [tmp_path / "log.csv", tmp_path / "log.parquet"]
    for file in files:
        assert run_of(2000, "--log", file)[0] == 0
    with files[0].open(newline="") as text:
        lines = list(csv.DictReader(text))
    parquet = pyarrow.parquet.ParquetFile(files[1])
    assert parquet.num_row_groups == -(-len(lines) // 65536) > 1
    columns = parquet.read().to_pydict()
    for name in ("kind", "created", "delivered", "deroutes", "path"):
        assert ["" if value is None else str(value) for value in columns[name]] == [line[name] for line in lines]
    keys = [(int(line["created"]), int(line["source"]), int(line["sequence"])) for line in lines]
    assert keys == sorted(keys)
