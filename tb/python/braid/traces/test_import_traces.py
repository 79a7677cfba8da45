"""Traces of Netrace and tables of Noxim: what becomes of each field, and what is refused where."""

import bz2
import gzip
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from braid.errors import InputError
from braid.explore import command_line
from braid.traces.import_traces import write_trace

Row = tuple[int, int, int, int, int, list[int]]  # cycle, id, type, source, destination, dependents


def netrace(rows: list[Row], nodes: int = 64, notes: bytes = b"", regions: int = 0, **other: Any) -> bytes:
    """A file as Netrace's documentation has it."""
    magic, packets = other.get("magic", 0x484A5455), other.get("packets", len(rows))
    version = other.get("version", 1.0)
    name = b"blackscholes".ljust(30, b"\0")
    head = struct.pack("<If30sBxQQII8x", magic, version, name, nodes, 1000, packets, len(notes), regions)
    body = b"".join(
        struct.pack("<QIIBBBBB", cycle, number, 0xDEAD, kind, source, to, 0x02, len(deps))
        + struct.pack(f"<{len(deps)}I", *deps)
        for cycle, number, kind, source, to, deps in rows
    )
    return head + notes + b"\0" * (24 * regions) + body


ROWS: list[Row] = [
    (5, 100, 1, 3, 9, [102, 103]),  # a read request, and its reply goes from where it comes
    (6, 101, 4, 2, 7, [103]),
    (30, 102, 2, 9, 3, []),
    (31, 103, 27, 9, 4, [999]),  # after two, one of which comes elsewhere
]
LINES = [
    "braid-trace 1",
    "nodes 64",
    "class requests",
    "class responses",
    "0 5 3 9 1 0",
    "1 6 2 7 9 0",
    "2 30 9 3 9 1 after 0",
    "3 31 9 4 1 0 after 0,1 delay 1",
    "end 4",
]


def imported(form: str, file: Path, *words: str, output: str = "out.trace") -> list[str]:
    place = file.parent / output
    assert write_trace(form, [str(file), *words], str(place), False) == 0
    return place.read_text().splitlines()


@pytest.mark.parametrize("packed", [bytes, bz2.compress, gzip.compress])
def test_netrace_dependents_become_what_a_packet_comes_after(tmp_path: Path, packed: Any, capsys: Any) -> None:
    file = tmp_path / "b.tra.bz2"
    file.write_bytes(packed(netrace(ROWS, notes=b"some notes\0", regions=3)))
    assert imported("netrace", file) == LINES
    said = capsys.readouterr().out
    assert "out.trace: 4 packets of 64 nodes, 3 dependencies" in said
    assert "1 dependencies of packets that do not follow" in said
    assert "replay.window of 3 or more" in said


def test_netrace_flits_are_of_any_width_and_packets_as_many_as_asked(tmp_path: Path) -> None:
    file = tmp_path / "b.tra"
    file.write_bytes(netrace(ROWS))
    lines = imported("netrace", file, "flit_bytes=16", "packets=2")
    assert lines[4:] == ["0 5 3 9 1 0", "1 6 2 7 5 0", "end 2"]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (netrace(ROWS, magic=1), "byte 72: is no trace of Netrace: begins with 0x1, expected 0x484a5455"),
        (netrace(ROWS, version=2.0), "byte 72: is of version 2 of Netrace's form: expected 1"),
        (netrace(ROWS)[:50], "byte 0: the file breaks off: expected a header"),
        (netrace(ROWS)[:-1], "byte 168: the file breaks off: expected 1 dependents of packet 4 of 4"),
        (netrace(ROWS)[:100], "byte 93: the file breaks off: expected 2 dependents of packet 1 of 4"),
        (netrace(ROWS, packets=5), "byte 172: the file breaks off: expected packet 5 of 5"),
        (netrace([(5, 1, 7, 0, 1, [])]), "byte 93: packet 1 is of type 7, which carries nothing: expected one of"),
        (netrace([(5, 1, 1, 0, 64, [])]), "byte 93: packet 1: node 64: expected 0 to 63"),
        (netrace([*ROWS, (30, 104, 1, 0, 1, [])]), "packet 104: cycle 30 after cycle 31: expected cycles that never"),
        (bz2.compress(netrace(ROWS))[:40], "byte 0: cannot be unpacked: "),
    ],
)
def test_what_is_no_netrace_is_refused_at_its_byte(tmp_path: Path, data: bytes, complaint: str) -> None:
    file = tmp_path / "b.tra"
    file.write_bytes(data)
    with pytest.raises(InputError) as refused:
        imported("netrace", file)
    assert str(refused.value).startswith(f"{file}: ")
    assert complaint in str(refused.value)
    assert [p.name for p in tmp_path.iterdir()] == ["b.tra"], "nothing is left"


def test_noxim_draws_at_the_rates_of_its_lines(tmp_path: Path) -> None:
    """10 000 cycles: within four standard deviations of what the table says."""
    file = tmp_path / "table.txt"
    file.write_text("% comment\n0 1 0.1\n0 2 0.3  % and one\n3 1 0.5 0.5 100 200 400\n")
    lines = imported("noxim", file, "flits=5", "cycles=10000")
    assert lines[:3] == ["braid-trace 1", "nodes 4", "class packets"]
    packets = [[int(word) for word in line.split()] for line in lines[3:-1]]
    assert lines[-1] == f"end {len(packets)}"
    assert [p[0] for p in packets] == list(range(len(packets)))
    assert {p[4] for p in packets} == {5}
    for source, destination, rate, cycles in ((0, 1, 0.1, 10000), (0, 2, 0.3, 10000), (3, 1, 0.5, 2500)):
        mine = [p[1] for p in packets if p[2:4] == [source, destination]]
        assert abs(len(mine) - rate * cycles) < 4 * (rate * cycles) ** 0.5
        assert len(set(mine)) == len(mine)
    assert all(100 <= p[1] % 400 < 200 for p in packets if p[2] == 3)
    assert len({(p[1], p[2]) for p in packets}) == len(packets), "a node makes one packet a cycle at most"
    assert imported("noxim", file, "flits=5", "cycles=10000", output="again.trace") == lines, "of one seed"
    assert imported("noxim", file, "flits=5", "cycles=10000", "seed=2", output="other.trace") != lines


def test_noxim_repeats_by_its_second_rate(tmp_path: Path) -> None:
    """A node that has sent goes on by POR, else begins by PIR."""
    file = tmp_path / "table.txt"
    file.write_text("0 1 0.1 0.9\n")
    cycles = [int(line.split()[1]) for line in imported("noxim", file, "cycles=20000")[3:-1]]
    follows = sum(b == a + 1 for a, b in pairwise(cycles))
    assert 0.85 < follows / len(cycles) < 0.95


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0 1\n0\n", ":2: 1 words: expected SOURCE DESTINATION [PIR [POR [T_ON T_OFF T_PERIOD]]]"),
        ("0 -1\n", ':1: "-1": expected a node, 0 or more'),
        ("0 1 1.5\n", ':1: "1.5": expected PIR, 0 to 1'),
        ("0 1 nan\n", ':1: "nan": expected PIR, 0 to 1'),
        ("0 1 1 x\n", ':1: "x": expected POR, 0 to 1'),
        ("0 1 1 1 5 5 9\n", ":1: 5 5 9: expected T_ON < T_OFF <= T_PERIOD"),
        ("% nothing\n", ": holds no line SOURCE DESTINATION"),
    ],
)
def test_what_is_no_table_is_refused_at_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "table.txt"
    file.write_text(text)
    with pytest.raises(InputError) as refused:
        imported("noxim", file)
    assert str(refused.value) == f"{file}{complaint}"


def test_the_command_names_what_it_knows(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "table.txt"
    file.write_text("0 5\n")
    for words, complaint in (
        (
            ["noxim", str(file), "flit=3"],
            'unknown key "flit" (did you mean "flits"?); known: cycles, flits',
        ),
        (["noxim", str(file), "flits=0"], 'flits = "0": expected a number, 1 to'),
        (["noxim", str(file), "nodes=5"], "node 5: expected 0 to 4, as nodes=5 says"),
        (["netrace"], "braid import"),
        (["netrace", str(file), "--output", str(file)], "is there already"),
        (["noxin", str(file)], 'unknown format "noxin" (did you mean "noxim"?); known: booksim, netrace, noxim'),
        (
            ["noxim", str(file), "--output", str(tmp_path / "t.txt")],
            "a trace is a .trace file (text) or a .btrace file",
        ),
    ):
        assert command_line.run(["import", *words]) == 2, words
        assert complaint in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["table.txt"]
