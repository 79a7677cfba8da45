"""What tentacle-routing prints: Tables 2 and 3, the gains of section 4 (its Figure 5 has no numbers)."""

from __future__ import annotations

from dataclasses import dataclass

SIZES = (4, 6)  # meshes, nodes along a side
HIGH, LOW = "high", "low"


@dataclass(frozen=True)
class SetUp:
    """A row of Table 3, cycles."""

    least: int
    most: int
    average: float
    total: int

    @property
    def slots(self) -> int:
        """Of 100 cycles each: all but one of the totals are 100 a slot and a path's cycles."""
        return self.total // 100


# Benchmark -> class on 4x4 and 6x6 (Table 2), in the order of the table.
CLASSES = {
    "Audiobeam": (HIGH, LOW),
    "Beamformer": (HIGH, HIGH),
    "BitonicSort": (LOW, HIGH),
    "ChannelVocoder": (HIGH, HIGH),
    "DES": (LOW, LOW),
    "FilterBank": (HIGH, HIGH),
    "FMRadio": (HIGH, HIGH),
    "TDE": (LOW, LOW),
    "Vocoder": (LOW, LOW),
}
BENCHMARKS = tuple(CLASSES)

SET_UPS = {
    "Audiobeam": (SetUp(5, 13, 7.29, 605), SetUp(5, 41, 13.46, 741)),
    "Beamformer": (SetUp(5, 21, 7.97, 1613), SetUp(5, 29, 9.25, 2729)),
    "BitonicSort": (SetUp(5, 5, 5, 1505), SetUp(5, 21, 6.52, 2917)),
    "ChannelVocoder": (SetUp(5, 31, 10.29, 1125), SetUp(5, 65, 11.17, 1625)),
    "DES": (SetUp(5, 17, 6.41, 1709), SetUp(5, 17, 6.41, 1709)),
    "FilterBank": (SetUp(5, 59, 11.61, 826), SetUp(5, 41, 14.18, 2241)),
    "FMRadio": (SetUp(5, 33, 12.2, 2009), SetUp(5, 33, 12.2, 2009)),
    "TDE": (SetUp(5, 9, 6.07, 1509), SetUp(5, 9, 5.26, 3109)),
    "Vocoder": (SetUp(5, 9, 5.33, 1205), SetUp(5, 18, 6.88, 3105)),
}

GAIN_HIGH = {4: 1.55, 6: 1.84}  # tentacle over push-adaptive, geometric means
GAIN_ALL = {4: 1.28, 6: 1.41}
FROM_IDEAL = {4: 0.06, 6: 0.11}  # tentacle below ideal
FIGURE_3 = {"FilterBank": 5, "FMRadio": 5, "Vocoder": 1, "BitonicSort": 1}  # streams on the most loaded link, 4x4
TOKEN_CYCLES = 100
TOTALS_MEAN = {4: 1345, 6: 2242}  # of Table 3's totals, cycles
TICK_CYCLES = 20_000_000  # 10 ms at 2 GHz
TICK_OVERHEAD_PERCENT = 0.015


def published_class(benchmark: str, size: int) -> str:
    """Table 2."""
    return CLASSES[benchmark][SIZES.index(size)]


def published_set_up(benchmark: str, size: int) -> SetUp:
    """Table 3."""
    return SET_UPS[benchmark][SIZES.index(size)]


def high_of(size: int) -> list[str]:
    """The benchmarks that the paper calls high-contention on this mesh."""
    return [b for b in BENCHMARKS if published_class(b, size) == HIGH]
