"""Chakra traces: what is written is read, so are bytes written by hand; what is wrong has its place."""

import random
from pathlib import Path

import pytest
from braid.collectives import trace
from braid.collectives.chakra_schema import GlobalMetadata, Node
from braid.collectives.trace import Kind, Operation
from braid.errors import InputError

OPERATIONS = [
    Operation(0, "a", Kind.COMPUTE, (), 7, {"is_cpu_op": False, "num_ops": 1 << 40, "rate": 0.5}),
    Operation(3, "b", Kind.SEND, (0,), 0, {"comm_dst": 1, "comm_size": 300, "comm_tag": 5}),
    Operation(300, "c", Kind.COLLECTIVE, (0, 3), 0, {"comm_type": 0, "pg_name": "x", "involved_dim": [True, False]}),
]

# Node 3 of above, field by field as the schema and protobuf's encoding have it: (field << 3 | wire type), value.
BY_HAND = b"".join(
    (
        bytes([0x08, 3, 0x12, 1, ord("b"), 0x18, 5, 0x2A, 1, 0]),  # id, name, type 5, data_deps packed
        bytes([0x52, 12, 0x0A, 8, *b"comm_dst", 0x48, 1]),  # attr: name, int64_val (field 9)
        bytes([0x52, 14, 0x0A, 9, *b"comm_size", 0x48, 0xAC, 2]),  # 300 = 2 * 128 + 44
        bytes([0x52, 12, 0x0A, 8, *b"comm_tag", 0x48, 5]),
    )
)
HEAD = b"\x07" + bytes([0x0A, 5, *b"0.0.4"])


def test_what_is_written_is_read(tmp_path: Path) -> None:
    trace.write(tmp_path / "t", [OPERATIONS, []])
    first, second = trace.read(tmp_path / "t")
    assert second == []
    for read, written in zip(first, OPERATIONS, strict=True):
        assert (read.number, read.name, read.kind, read.after, read.micros, read.attributes) == (
            written.number, written.name, written.kind, written.after, written.micros, written.attributes,
        )  # fmt: skip
        assert read.place == f"{tmp_path}/t.0.et: node {read.number}"


def test_bytes_written_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "hand.0.et"
    before = Node(id=0, type=4).SerializeToString()
    file.write_bytes(HEAD + bytes([len(before)]) + before + bytes([len(BY_HAND)]) + BY_HAND)
    operation = trace.read(tmp_path / "hand")[0][1]
    assert operation.number == 3
    assert operation.kind is Kind.SEND
    assert operation.after == (0,)
    assert operation.attributes == {"comm_dst": 1, "comm_size": 300, "comm_tag": 5}


def test_what_the_schema_has_and_braid_does_not_read_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "more.0.et"
    other = Node(id=0, type=1).SerializeToString() + bytes([0x42, 2, 0x0A, 0])  # inputs, field 8
    file.write_bytes(HEAD + bytes([len(other)]) + other)
    assert trace.read(tmp_path / "more")[0][0].kind is Kind.METADATA


def packed(*nodes: object) -> bytes:
    texts = [GlobalMetadata(version="1").SerializeToString(), *(node.SerializeToString() for node in nodes)]
    return b"".join(bytes([len(text)]) + text for text in texts)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (packed(Node(id=1, type=4), Node(id=1, type=4)), "node 1: a second node of that id"),
        (packed(Node(id=1, type=4, data_deps=[9])), "node 1: comes after node 9, which is not in the file"),
        (packed(Node(id=1, type=4, data_deps=[1])), "node 1: waits for itself: 1 after 1"),
        (
            packed(
                Node(id=4, type=4, data_deps=[1]), Node(id=1, type=4, ctrl_deps=[2]), Node(id=2, type=4, data_deps=[1])
            ),
            "node 1: waits for itself: 1 after 2 after 1",
        ),
        (packed(Node(id=1, type=77)), "node 1: type 77: expected one of 0, 1,"),
        (b"\x05\x0a", "byte 0: a message of 5 bytes, where 1 are left"),
        (packed(Node(id=1, type=4)) + b"\x81", "byte 9: breaks off"),
        (b"\xff" * 12, "byte 0: breaks off"),
        (b"\x02\x0a\x09", "byte 0: not a message of a Chakra trace"),
    ],
)
def test_what_is_wrong_has_its_place(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "t.0.et").write_bytes(content)
    with pytest.raises(InputError) as wrong:
        trace.read(tmp_path / "t")
    assert str(wrong.value).startswith(f"{tmp_path}/t.0.et: {said}")
    assert "\n" not in str(wrong.value)


def test_without_a_file_the_names_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.0\.et: no such file: expected a trace of files PREFIX\.0\.et"):
        trace.read(tmp_path / "t")


def test_damaged_files_are_refused_in_one_line_or_read(tmp_path: Path) -> None:
    """Two thousand files with bytes changed, cut off and doubled."""
    trace.write(tmp_path / "t", [OPERATIONS])
    good = (tmp_path / "t.0.et").read_bytes()
    chance = random.Random(2026)
    refused = 0
    for _ in range(2000):
        bad = bytearray(good)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(bad))
            change = chance.randrange(3)
            if change == 0:
                bad[place] = chance.randrange(256)
            elif change == 1:
                del bad[place : place + chance.randint(1, 8)]
            else:
                bad[place:place] = bad[place : place + chance.randint(1, 8)]
        (tmp_path / "t.0.et").write_bytes(bad)
        try:
            trace.read(tmp_path / "t")
        except InputError as e:
            refused += 1
            assert "\n" not in str(e)
    assert 500 < refused < 2000
