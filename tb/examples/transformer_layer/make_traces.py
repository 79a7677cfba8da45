"""Writes Chakra traces of one training step of a small transformer: PREFIX.0.et, ... and PREFIX.groups.json.

    python make_traces.py PREFIX [--tensor 4] [--data 4] [--layers 2] [--hidden 256] [--sequence 128] [--batch 1]

Ranks are `tensor` times `data`: rank = replica * tensor + shard. Within a replica each layer is cut by columns and rows
(Shoeybi et al., Megatron-LM, 2019, section 3): attention and MLP each end with an all-reduce of activations, forward
and backward. Between replicas the gradients of a block are summed up as soon as they are there, beside the backward
pass of the blocks before it. Numbers have two bytes. Operations are multiplications and additions: 8 b s h^2 +
4 b s^2 h of an attention, 16 b s h^2 of an MLP, twice as many backward.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

from braid.collectives.trace import Kind, Operation, write

BYTES = 2  # a number
ALL_REDUCE = 0


@dataclass(frozen=True)
class Model:
    """Sizes."""

    layers: int
    hidden: int
    sequence: int
    batch: int

    def operations(self, block: str) -> int:
        """Of a block's forward pass."""
        square = self.batch * self.sequence * self.hidden**2
        return 16 * square if block == "mlp" else 8 * square + 4 * self.batch * self.sequence**2 * self.hidden

    def weights(self, block: str) -> int:
        """Numbers of a block."""
        return (8 if block == "mlp" else 4) * self.hidden**2

    def activations(self) -> int:
        """Bytes between blocks."""
        return self.batch * self.sequence * self.hidden * BYTES


@dataclass
class Rank:
    """Its operations, one after the other but for the gradients."""

    shard: int
    replica: int
    tensor: int
    model: Model
    operations: list[Operation] = field(default_factory=list)
    last: tuple[int, ...] = ()

    def compute(self, name: str, block: str, times: int) -> None:
        """A block's own share."""
        count = times * self.model.operations(block) // self.tensor
        size = self.model.activations() + self.model.weights(block) * BYTES // self.tensor
        self._add(name, Kind.COMPUTE, num_ops=count, tensor_size=size, is_cpu_op=False)

    def sum_up(self, name: str, group: str, size: int, *, waits: bool = True) -> None:
        """An all-reduce; with `waits` what follows comes after it."""
        before = self.last
        self._add(name, Kind.COLLECTIVE, comm_type=ALL_REDUCE, comm_size=size, pg_name=group)
        if not waits:
            self.last = before

    def _add(self, name: str, kind: Kind, **attributes: int | bool | str) -> None:
        number = len(self.operations)
        self.operations.append(Operation(number, name, kind, self.last, 0, dict(attributes)))
        self.last = (number,)

    def step(self) -> None:
        """Forward, then backward."""
        blocks = [(layer, block) for layer in range(self.model.layers) for block in ("attention", "mlp")]
        for layer, block in blocks:
            self.compute(f"forward {block} {layer}", block, 1)
            self.sum_up(f"activations {block} {layer}", f"tensor{self.replica}", self.model.activations())
        for layer, block in reversed(blocks):
            self.compute(f"backward {block} {layer}", block, 2)
            self.sum_up(f"gradients of {block} {layer}'s input", f"tensor{self.replica}", self.model.activations())
            size = self.model.weights(block) * BYTES // self.tensor
            self.sum_up(f"gradients of {block} {layer}", f"data{self.shard}", size, waits=False)


def groups(tensor: int, data: int) -> dict[str, list[int]]:
    """By name."""
    shards = {f"tensor{d}": [d * tensor + t for t in range(tensor)] for d in range(data)}
    return shards | {f"data{t}": [d * tensor + t for d in range(data)] for t in range(tensor)}


def main() -> None:
    """The script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix")
    for name, usual in (("tensor", 4), ("data", 4), ("layers", 2), ("hidden", 256), ("sequence", 128), ("batch", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    asked = parser.parse_args()
    model = Model(asked.layers, asked.hidden, asked.sequence, asked.batch)
    ranks = [Rank(n % asked.tensor, n // asked.tensor, asked.tensor, model) for n in range(asked.tensor * asked.data)]
    for rank in ranks:
        rank.step()
    write(asked.prefix, [rank.operations for rank in ranks])
    Path(f"{asked.prefix}.groups.json").write_text(json.dumps(groups(asked.tensor, asked.data)) + "\n")


if __name__ == "__main__":
    main()
