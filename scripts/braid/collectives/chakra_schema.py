"""The messages of a Chakra execution trace, as MLCommons' schema numbers their fields (github.com/mlcommons/chakra,
schema/protobuf/et_def.proto): what Braid reads of them. protobuf itself skips the rest."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_PACKAGE = "braid.chakra"
_FIELD = descriptor_pb2.FieldDescriptorProto
_SCALARS = {
    "double_val": (3, _FIELD.TYPE_DOUBLE),
    "float_val": (5, _FIELD.TYPE_FLOAT),
    "int32_val": (7, _FIELD.TYPE_INT32),
    "int64_val": (9, _FIELD.TYPE_INT64),
    "uint32_val": (11, _FIELD.TYPE_UINT32),
    "uint64_val": (13, _FIELD.TYPE_UINT64),
    "sint32_val": (15, _FIELD.TYPE_SINT32),
    "sint64_val": (17, _FIELD.TYPE_SINT64),
    "fixed32_val": (19, _FIELD.TYPE_FIXED32),
    "fixed64_val": (21, _FIELD.TYPE_FIXED64),
    "sfixed32_val": (23, _FIELD.TYPE_SFIXED32),
    "sfixed64_val": (25, _FIELD.TYPE_SFIXED64),
    "bool_val": (27, _FIELD.TYPE_BOOL),
    "string_val": (29, _FIELD.TYPE_STRING),
}


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(name="braid_chakra.proto", package=_PACKAGE, syntax="proto3")

    def message(name: str) -> Any:
        return file.message_type.add(name=name)

    def field(of: Any, name: str, number: int, kind: int, *, repeated: bool = False, message: str = "") -> Any:
        label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
        added = of.field.add(name=name, number=number, type=kind, label=label)
        if message:
            added.type_name = f".{_PACKAGE}.{message}"
        return added

    flags = message("BoolList")
    field(flags, "values", 1, _FIELD.TYPE_BOOL, repeated=True)

    attribute = message("Attribute")
    field(attribute, "name", 1, _FIELD.TYPE_STRING)
    attribute.oneof_decl.add(name="value")
    for name, (number, kind) in _SCALARS.items():
        field(attribute, name, number, kind).oneof_index = 0
    field(attribute, "bool_list", 28, _FIELD.TYPE_MESSAGE, message="BoolList").oneof_index = 0

    metadata = message("GlobalMetadata")
    field(metadata, "version", 1, _FIELD.TYPE_STRING)

    node = message("Node")
    for name, number in (("id", 1), ("duration_micros", 7)):
        field(node, name, number, _FIELD.TYPE_UINT64)
    field(node, "name", 2, _FIELD.TYPE_STRING)
    field(node, "type", 3, _FIELD.TYPE_INT32)
    for name, number in (("ctrl_deps", 4), ("data_deps", 5)):
        field(node, name, number, _FIELD.TYPE_UINT64, repeated=True)
    field(node, "attr", 10, _FIELD.TYPE_MESSAGE, repeated=True, message="Attribute")
    return file


_POOL = descriptor_pool.DescriptorPool()
_POOL.Add(_file())


def _class(name: str) -> Any:
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"{_PACKAGE}.{name}"))


GlobalMetadata = _class("GlobalMetadata")
Node = _class("Node")
Attribute = _class("Attribute")
