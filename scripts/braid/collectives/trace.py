"""Chakra execution traces: what each rank of a machine learning job computes and sends, and in which order.

A trace is a file a rank, PREFIX.0.et, PREFIX.1.et, ...: messages of protobuf, each behind its length, first the
metadata, then a node for each operation.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

from braid.collectives.chakra_schema import Attribute, GlobalMetadata, Node
from braid.errors import InputError

Value = int | float | bool | str | list[bool]

#: Names of operations by the number that a collective has in the trace (CollectiveCommType of the schema).
COLLECTIVES = {
    0: "all_reduce", 1: "reduce", 2: "all_gather", 5: "broadcast", 6: "all_to_all", 7: "reduce_scatter",
    8: "reduce_scatter", 9: "barrier",
}  # fmt: skip
_LONGEST_NODE = 1 << 26  # bytes


class Kind(IntEnum):
    """Of an operation (NodeType of the schema)."""

    INVALID = 0
    """Takes no time, as a node without a type and metadata."""
    METADATA = 1
    MEMORY_LOAD = 2
    MEMORY_STORE = 3
    COMPUTE = 4
    SEND = 5
    RECEIVE = 6
    COLLECTIVE = 7


@dataclass
class Operation:
    """Something that a rank does."""

    number: int
    """Its id in the file."""
    name: str
    kind: Kind
    after: tuple[int, ...] = ()
    """Ids of those that must be done before."""
    micros: int = 0
    """How long it takes by the trace, us; 0 where the trace does not say."""
    attributes: dict[str, Value] = field(default_factory=dict)
    place: str = ""
    """FILE: node ID, for complaints."""

    def whole(self, name: str, least: int = 0) -> int:
        """An attribute that must be there. Raises InputError."""
        value = self.attributes.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            found = "nothing" if value is None else repr(value)[:40]
            raise InputError(f'{self.place} ("{self.name[:40]}"): {name} = {found}: expected {least} or more')
        return value


def read(prefix: str | os.PathLike[str]) -> list[list[Operation]]:
    """[rank] its operations by id, as many ranks as there are files. Raises InputError."""
    files = list(_files(os.fspath(prefix)))
    if not files:
        raise InputError(
            f"{os.fspath(prefix)}.0.et: no such file: expected a trace of files PREFIX.0.et, PREFIX.1.et, ..."
        )
    return [read_rank(file) for file in files]


def _files(prefix: str) -> Iterator[Path]:
    rank = 0
    while (file := Path(f"{prefix}.{rank}.et")).is_file():
        yield file
        rank += 1


def read_rank(file: Path) -> list[Operation]:
    """A file's operations, by id."""
    try:
        data = file.read_bytes()
    except OSError as e:
        raise InputError(f"{file}: cannot be read: {e.strerror}") from None
    operations: dict[int, Operation] = {}
    for count, (at, text) in enumerate(_messages(file, data)):
        if count == 0:
            _parsed(GlobalMetadata(), text, f"{file}: byte {at}")
            continue
        operation = _operation(_parsed(Node(), text, f"{file}: byte {at}"), file)
        if operation.number in operations:
            raise InputError(f"{operation.place}: a second node of that id")
        operations[operation.number] = operation
    for operation in operations.values():
        for after in operation.after:
            if after not in operations:
                raise InputError(f"{operation.place}: comes after node {after}, which is not in the file")
    _refuse_circles(operations)
    return [operations[number] for number in sorted(operations)]


def _messages(file: Path, data: bytes) -> Iterator[tuple[int, bytes]]:
    """Where each begins, and its bytes."""
    at = 0
    while at < len(data):
        begin, length, shift = at, 0, 0
        while True:
            if at == len(data) or shift > 63:
                raise InputError(f"{file}: byte {begin}: breaks off: expected the length of a message")
            length |= (data[at] & 127) << shift
            shift += 7
            at += 1
            if data[at - 1] < 128:
                break
        if length > min(_LONGEST_NODE, len(data) - at):
            raise InputError(f"{file}: byte {begin}: a message of {length} bytes, where {len(data) - at} are left")
        yield begin, data[at : at + length]
        at += length


def _parsed(message: Any, text: bytes, place: str) -> Any:
    try:
        message.ParseFromString(text)
    except DecodeError:
        raise InputError(f"{place}: not a message of a Chakra trace") from None
    return message


def _operation(node: Any, file: Path) -> Operation:
    place = f"{file}: node {node.id}"
    try:
        kind = Kind(node.type)
    except ValueError:
        raise InputError(f"{place}: type {node.type}: expected one of {', '.join(map(str, map(int, Kind)))}") from None
    attributes: dict[str, Value] = {}
    for one in node.attr:
        which = one.WhichOneof("value")
        if which is not None:
            value = getattr(one, which)
            attributes[one.name] = list(value.values) if which == "bool_list" else value
    after = tuple(dict.fromkeys([*node.ctrl_deps, *node.data_deps]))
    return Operation(node.id, node.name, kind, after, node.duration_micros, attributes, place)


def dependencies(operations: Mapping[int, Operation]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """[id] how many operations it comes after, and those that come after it."""
    waits = {number: len(operation.after) for number, operation in operations.items()}
    then: dict[int, list[int]] = {number: [] for number in operations}
    for number, operation in operations.items():
        for after in operation.after:
            then[after].append(number)
    return waits, then


def _refuse_circles(operations: dict[int, Operation]) -> None:
    """Nodes that wait for one another never run."""
    waits, then = dependencies(operations)
    ready = [number for number, count in waits.items() if count == 0]
    for number in ready:
        for other in then[number]:
            waits[other] -= 1
            if waits[other] == 0:
                ready.append(other)
    if len(ready) < len(operations):
        number = min(set(operations) - set(ready))
        way = [number]
        left = set(operations) - set(ready)
        while way.count(way[-1]) == 1:
            way.append(min(set(operations[way[-1]].after) & left))
        circle = way[way.index(way[-1]) :]
        raise InputError(f"{operations[circle[0]].place}: waits for itself: {' after '.join(map(str, circle))}")


def write(prefix: str | os.PathLike[str], ranks: Iterable[Iterable[Operation]]) -> None:
    """Files PREFIX.0.et, PREFIX.1.et, ... of these operations."""
    for rank, operations in enumerate(ranks):
        texts = [GlobalMetadata(version="0.0.4").SerializeToString()]
        texts += [_node(operation).SerializeToString() for operation in operations]
        Path(f"{os.fspath(prefix)}.{rank}.et").write_bytes(b"".join(_length(len(text)) + text for text in texts))


def _length(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _node(operation: Operation) -> Any:
    node = Node(
        id=operation.number, name=operation.name, type=int(operation.kind), duration_micros=operation.micros,
        data_deps=operation.after,
    )  # fmt: skip
    for name, value in operation.attributes.items():
        one = Attribute(name=name)
        if isinstance(value, list):
            one.bool_list.values.extend(value)
        else:
            kind = {bool: "bool_val", int: "int64_val", float: "double_val", str: "string_val"}[type(value)]
            setattr(one, kind, value)
        node.attr.append(one)
    return node
