"""The packet log as Parquet, read by a reader that is not ours: tables of every length at which something in the file
changes its form, every column that there can be, and what the file says of itself. CSV says what is in it."""

import csv
import gzip
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from braid_tools.program import ROOT, braid

#: Rows in groups of eight, of which one byte counts up to 63; a footer's numbers of up to 63, 8191 and more.
LENGTHS = [1, 7, 8, 9, 16, 17, 63, 64, 65, 504, 505, 512, 513]
NODES = 16


def text_of(packets: int) -> str:
    """A trace of packets of one flit, of all nodes to all others in turn, eight a cycle."""
    lines = [f"{i} {5 + i // 8} {i % NODES} {(i + 1 + i // NODES % 15) % NODES} 1 0\n" for i in range(packets)]
    return "".join(["braid-trace 1\n", f"nodes {NODES}\n", "class reads\n", *lines, f"end {packets}\n"])


def lines_of(file: Path) -> list[dict[str, str | None]]:
    with file.open(newline="") as text:
        return [{name: value or None for name, value in line.items()} for line in csv.DictReader(text)]


def rows_of(file: Path) -> list[dict[str, str | None]]:
    rows = pyarrow.parquet.read_table(file).to_pylist()
    return [{name: None if value in (None, "") else str(value) for name, value in row.items()} for row in rows]


def logged(folder: Path, experiment: str, settings: dict[str, object]) -> tuple[Path, Path]:
    files = folder / "log.csv", folder / "log.parquet"
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    for file in files:
        braid("run", ROOT / "tb" / "experiments" / f"{experiment}.toml", *words, "--quiet", "--log", file)
    return files


def replayed(folder: Path, packets: int) -> tuple[Path, Path]:
    trace = folder / "packets.trace"
    trace.write_text(text_of(packets))
    return logged(folder, "replay", {"replay.file": trace, "replay.by": "time"})


@pytest.mark.parametrize("packets", LENGTHS)
def test_a_log_of_any_length_is_that_of_csv(tmp_path: Path, packets: int) -> None:
    text, parquet = replayed(tmp_path, packets)
    lines = lines_of(text)
    assert len(lines) == packets
    assert [line["kind"] for line in lines] == ["reads"] * packets
    assert all(line["message"] is None and line["delivered"] is not None for line in lines)
    assert rows_of(parquet) == lines
    assert pyarrow.parquet.ParquetFile(parquet).metadata.row_group(0).num_rows == packets


def test_a_log_without_packets_has_its_columns(tmp_path: Path) -> None:
    settings = {
        "traffic.rate_flits_per_node_cycle": 0,
        "simulation.min_warmup_cycles": 0,
        "simulation.max_warmup_cycles": 0,
        "simulation.measure_cycles": 100,
        "simulation.batch_cycles": 100,
    }
    text, parquet = logged(tmp_path, "mesh_uniform", settings)
    [header] = text.read_text().splitlines()
    table = pyarrow.parquet.read_table(parquet)
    assert table.num_rows == 0
    assert table.column_names == header.split(",")


def test_columns_of_rests_and_losses_are_those_of_csv(tmp_path: Path) -> None:
    """A link goes down while packets rest in in-transit buffers, and the run ends before all have come."""
    settings = {
        "failure.cycle": 3000,
        "failure.recompute_ns": 6250,
        "routing.in_transit": "every_switch",
        "simulation.min_warmup_cycles": 0,
        "simulation.max_warmup_cycles": 0,
        "simulation.measure_cycles": 6000,
        "simulation.batch_cycles": 1000,
        "simulation.max_drain_cycles": 0,
    }
    text, parquet = logged(tmp_path, "irregular_link_down", settings)
    lines = lines_of(text)
    assert rows_of(parquet) == lines
    assert list(lines[0])[-3:] == ["lost", "path", "rests"]
    for name in ("lost", "delivered", "rests"):
        assert 0 < sum(line[name] is not None for line in lines) < len(lines), name
    assert not any(line["lost"] and line["delivered"] for line in lines)


def test_the_file_says_what_it_holds(tmp_path: Path) -> None:
    """Numbers may be missing, text is always there; the versions and names are the format's and ours."""
    _, file = replayed(tmp_path, 9)
    parquet = pyarrow.parquet.ParquetFile(file)
    metadata, schema = parquet.metadata, parquet.schema
    assert (metadata.created_by, metadata.format_version, metadata.num_rows) == ("braid", "1.0", 9)
    assert (metadata.num_row_groups, metadata.num_columns) == (1, len(schema))
    assert str(schema).splitlines()[1].endswith(" packets {")
    group = metadata.row_group(0)
    for i, name in enumerate(schema.names):
        is_text = name in ("kind", "path")
        described, column = schema.column(i), group.column(i)
        assert described.physical_type == column.physical_type == ("BYTE_ARRAY" if is_text else "INT64"), name
        assert str(described.logical_type) == ("String" if is_text else "None"), name
        assert described.max_definition_level == (0 if is_text else 1), name
        assert described.max_repetition_level == 0
        assert (column.path_in_schema, column.num_values) == (name, 9)
        assert set(column.encodings) == {"PLAIN", "RLE"}
        assert not column.has_dictionary_page
    data = file.read_bytes()
    assert data[:4] == data[-4:] == b"PAR1"
    last = group.column(metadata.num_columns - 1)
    assert last.data_page_offset + last.total_compressed_size == len(data) - 8 - int.from_bytes(data[-8:-4], "little")


def read_number(data: bytes, at: int) -> tuple[int, int]:
    """Seven bits a byte, the low ones first; and where the next one begins."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 0x80:
            return value, at


def read_struct(data: bytes, at: int) -> tuple[dict[int, Any], int]:
    """Of Thrift's compact protocol: numbers and structs, by their fields."""
    fields: dict[int, Any] = {}
    field = 0
    while data[at] != 0:
        field, kind, at = field + (data[at] >> 4), data[at] & 0xF, at + 1
        if kind == 12:
            fields[field], at = read_struct(data, at)
        else:
            assert kind in (5, 6)
            value, at = read_number(data, at)
            fields[field] = value >> 1 if value % 2 == 0 else -(value >> 1) - 1
    return fields, at + 1


def page_of(values: list[Any]) -> bytes:
    """As the format has it: texts with their lengths; numbers behind a bit a row, in groups of eight, and how many
    groups those are, bit-packed."""
    if isinstance(values[0], str):
        return b"".join(len(text).to_bytes(4, "little") + text.encode() for text in values)
    groups = -(-len(values) // 8)
    bits = sum((value is not None) << i for i, value in enumerate(values)).to_bytes(groups, "little")
    run = groups << 1 | 1
    head = bytes([run]) if run < 0x80 else bytes([run & 0x7F | 0x80, run >> 7])
    numbers = [value.to_bytes(8, "little") for value in values if value is not None]
    return b"".join([(len(head) + groups).to_bytes(4, "little"), head, bits, *numbers])


@pytest.mark.parametrize("packets", [9, 505])
def test_pages_are_as_the_format_has_them(tmp_path: Path, packets: int) -> None:
    """Each is read out of the file at the place that the footer names, and held to what a second writer makes."""
    _, file = replayed(tmp_path, packets)
    data, table = file.read_bytes(), pyarrow.parquet.read_table(file)
    group = pyarrow.parquet.ParquetFile(file).metadata.row_group(0)
    for i, name in enumerate(table.column_names):
        column, page = group.column(i), page_of(table.column(name).to_pylist())
        header, at = read_struct(data, column.data_page_offset)
        packed = data[at : column.data_page_offset + column.total_compressed_size]
        assert gzip.decompress(packed) == page, name
        assert packed[8] == 4, "at the fastest level, as a .gz file says"
        data_page = {1: packets, 2: 0, 3: 3, 4: 3}  # plain; levels in runs
        assert header == {1: 0, 2: len(page), 3: len(packed), 5: data_page}, name
        assert column.total_uncompressed_size == at - column.data_page_offset + len(page)
