"""The nine benchmarks: sizes and rates against MIT's compiler, and what they compute against independent references.

Facts: flat counts as MIT's compiler (StreamIt e4a4b452e) gives them for the suite's own programs; rates and repetitions
of the actors that it left whole when it partitioned for 4x4 and 6x6 tiles. Its steady state is ours times the factor by
which fission made it longer: 2 for FMRadio on 6x6, 9 for Audiobeam on 6x6, 2 and 6 for Vocoder, 1 else.
"""

import cmath
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from front_end import FlatGraph, read
from front_end.execute import Execution

PROGRAMS = Path(__file__).resolve().parents[3] / "traffic" / "streams" / "programs"

# Filters, splitters, joiners, edges.
COUNTS = {
    "audiobeam": (18, 1, 1, 33),
    "beamformer": (52, 2, 2, 69),
    "bitonic_sort": (214, 13, 13, 338),
    "channel_vocoder": (53, 1, 1, 70),
    "des": (263, 80, 80, 598),
    "filter_bank": (51, 1, 1, 59),
    "fm_radio": (45, 11, 11, 85),
    "tde": (51, 2, 2, 56),
    "vocoder": (100, 8, 8, 150),
}

# MIT's actor, ours, then push, pop, peek, repetitions, and how many of them there are in the flat graph.
FACTS = {
    "audiobeam": [
        ("FileReader", "FileReader", 1, 0, 0, 15, 1),
        *(("Interpolate", "Interpolate", 1, 1, peek, 1, 2 if peek in (2, 6) else 1) for peek in range(2, 15)),
        ("Average", "Average", 1, 15, 15, 1, 1),
        ("Printer", "Printer", 0, 1, 1, 1, 1),
    ],
    "beamformer": [
        ("BeamForm", "BeamForm", 2, 24, 24, 1, 4),
        ("BeamFirFilter", "BeamFirFilter", 2, 2, 2, 1, 28),
        ("Magnitude", "Magnitude", 1, 2, 2, 1, 4),
    ],
    "bitonic_sort": [("KeySource", "KeySource", 32, 0, 0, 1, 1)],
    "channel_vocoder": [
        ("FileReader", "FileReader", 1, 0, 0, 50, 1),
        ("LowPassFilter", "LowPassFilter", 1, 1, 64, 50, 17),
        ("FileWriter", "FileWriter", 0, 1, 1, 17, 1),
    ],
    "des": [],
    "filter_bank": [("source", "Source", 1, 0, 0, 8, 1), ("FirFilter", "FirFilter", 1, 1, 32, 8, 16)],
    "fm_radio": [
        ("FloatOneSource", "Antenna", 1, 0, 0, 5, 1),
        ("LowPassFilter", "LowPassFilter", 1, 5, 64, 1, 1),
        ("FMDemodulator", "FMDemodulator", 1, 1, 2, 1, 1),
        ("LowPassFilter", "LowPassFilter", 1, 1, 64, 1, 20),
    ],
    "tde": [
        ("source", "Source", 6480, 0, 0, 1, 1),
        ("Multiply_by_float", "Equalize", 128, 128, 128, 90, 1),
        *(("CombineIDFT", "Combine", 4 << i, 4 << i, 4 << i, 1440 >> i, 4) for i in range(5)),
        ("CombineIDFTFinal", "Combine", 128, 128, 128, 45, 4),
        ("Contract", "Contract", 72, 128, 128, 90, 1),
    ],
    "vocoder": [
        ("RectangularToPolar", "RectangularToPolar", 2, 2, 2, 15, 1),
        ("Deconvolve", "Deconvolve", 2, 2, 2, 15, 1),
        ("PolarToRectangular", "PolarToRectangular", 2, 2, 2, 20, 1),
        ("FileWriter", "FileWriter", 0, 1, 1, 1, 1),
    ],
}

# Fused actors of MIT's: our first filter (the number) and last one of such a run, items it takes and gives.
FUSED = {
    "beamformer": [("InputGenerate", 0, "BeamFirFilter", 0, 2)],
    "channel_vocoder": [
        ("CorrelationPeak", 0, "CorrelationPeak", 50, 1),
        ("HighPassFilter", 0, "Compressor", 50, 1),
    ],
    "des": [("CrissCross", 0, "CrissCross", 64, 64)],
    "filter_bank": [("Combine", 0, "Sink", 64, 0), ("DelayLine", 0, "FirFilter", 8, 8)],
    "tde": [("Transpose", 0, "Expand", 6480, 11520), ("Transpose", 1, "Sink", 6480, 0)],
    "vocoder": [
        ("StepSource", 0, "Delay", 0, 1),
        ("Sum", 0, "FloatToInt", 20, 1),
        ("Multiplier", 0, "Multiplier", 40, 20),
    ],
}


@cache
def program(name: str) -> FlatGraph:
    return read(str(PROGRAMS / f"{name}.str"))


def run(flat: FlatGraph, steady_states: int, **files: list[float]) -> Execution:
    execution = Execution(flat, {f"{name}.in": items for name, items in files.items()})
    execution.run(steady_states)
    return execution


def smaller(name: str, place: Path, *sizes: tuple[str, str]) -> FlatGraph:
    """The program with other constants, as a reader in Python takes minutes for some at full size."""
    text = (PROGRAMS / f"{name}.str").read_text()
    for old, new in sizes:
        assert old in text, old
        text = text.replace(old, new)
    file = place / f"{name}.str"
    file.write_text(text)
    return read(str(file))


def printed(execution: Execution, name: str) -> list[float]:
    return [float(text) for text in execution.printed[name]]


@pytest.mark.parametrize("name", COUNTS)
def test_a_benchmark_has_the_flat_counts_of_the_suite(name: str) -> None:
    assert program(name).counts == COUNTS[name]


@pytest.mark.parametrize("name", FACTS)
def test_actors_that_mit_left_whole_have_its_rates_and_repetitions(name: str) -> None:
    found = Counter()
    for node in program(name).of_kind("filter"):
        work = node.stream.work
        found[node.name, work.push, work.pop, work.peek, node.repetitions] += 1
    for _, ours, push, pop, peek, repetitions, count in FACTS[name]:
        assert found[ours, push, pop, peek, repetitions] == count, (ours, found)


@pytest.mark.parametrize("name", FUSED)
def test_fused_actors_of_mit_take_and_give_what_ours_do_together(name: str) -> None:
    nodes = program(name).of_kind("filter")
    for first, which, last, taken, given in FUSED[name]:
        start = [node for node in nodes if node.name == first][which]
        end = [node for node in nodes if node.name == last][-1]
        assert start.stream.work.pop * start.repetitions == taken, first
        assert end.stream.work.push * end.repetitions == given, last


def test_joiners_that_mit_kept_have_its_weights() -> None:
    weights = {name: [joiner.weights for joiner in program(name).of_kind("joiner")] for name in COUNTS}
    assert weights["audiobeam"] == [[1] * 15]
    assert weights["channel_vocoder"] == [[1] * 17]
    assert weights["tde"] == [[128, 128]] * 2
    assert weights["beamformer"] == [[2] * 12, [0] * 4]
    assert [2] * 15 in weights["vocoder"] and [1] * 15 in weights["vocoder"]
    assert weights["bitonic_sort"].count([16, 16]) == 2  # runs of 16 and the last merge
    assert weights["fm_radio"] == [[1, 1]] * 10 + [[1] * 10]


# What they compute.


def test_bitonic_sort_sorts() -> None:
    keys = printed(run(program("bitonic_sort"), 1), "KeyPrinter")
    assert len(keys) == 32 and len(set(keys)) > 25 and keys == sorted(keys)


def test_des_gives_the_cipher_of_a_published_example() -> None:
    """J. O. Grabbe, The DES algorithm illustrated: key 133457799BBCDFF1, text 0123456789ABCDEF."""
    words = [int(text) & 0xFFFFFFFF for text in run(program("des"), 1).printed["AnonymousFilter"]]
    assert words == [0x85E81354, 0x0F0AB405]


def test_filter_bank_gives_back_its_input_late_by_its_delays() -> None:
    """DelayLine holds 8 samples; the first filters see 32 at once, so the first block is complete after 24 more."""
    out = np.array(printed(run(program("filter_bank"), 12), "Sink"))
    t = np.arange(1000)
    source = np.sin(0.1 * t) + 0.25 * np.cos(1.3 * t)
    late = 8
    assert np.allclose(out[48:], source[48 - late : len(out) - late], atol=1e-5)


def test_tde_shifts_every_pulse_by_half_a_sample(tmp_path: Path) -> None:
    flat = smaller("tde", tmp_path, ("channels = 6", "channels = 1"), ("pulses = 15", "pulses = 2"))
    out = np.array(printed(run(flat, 1), "Sink")).reshape(36, 2, 2)
    t = np.arange(36)
    for pulse in range(2):
        padded = np.zeros(64, complex)
        padded[:36] = np.exp(1j * (np.pi * t * t / 64 + 0.2 * pulse))
        frequency = np.fft.fftfreq(64)
        expected = np.fft.ifft(np.fft.fft(padded) * np.exp(2j * np.pi * frequency * 0.5))[:36]
        assert np.allclose(out[:, pulse, 0] + 1j * out[:, pulse, 1], expected, atol=1e-4)


def test_beamformer_reports_the_pulse_in_the_beam_that_looks_at_it(tmp_path: Path) -> None:
    """Beams look at sines of -0.75, -0.25, 0.25 and 0.75; the pulse comes from 0.25."""
    sizes = (("samples = 64", "samples = 16"), ("coarseTaps = 64", "coarseTaps = 4"), ("fineTaps = 64", "fineTaps = 4"))
    flat = smaller("beamformer", tmp_path, *sizes)
    assert set(printed(run(flat, 30), "Detector")) == {2}


def test_audiobeam_averages_what_all_microphones_hear_at_one_moment() -> None:
    def heard(i: int, t: float) -> float:
        first = abs(complex(0.25, 0.2))
        return np.sin(0.2 * (t - (abs(complex(0.25 + 0.021 * i, 0.2)) - first) / 343 * 16000))

    samples = [heard(i, t) for t in range(60) for i in range(15)]
    out = printed(run(program("audiobeam"), 20, microphones=samples), "Printer")
    assert np.allclose(out, [np.sin(0.2 * t) for t in range(len(out))], atol=0.01)


def test_channel_vocoder_finds_pitch_and_the_loud_band(tmp_path: Path) -> None:
    """A pulse every 40 samples, from 8000 samples a second, then a tone of 1000 Hz; bands of 900 Hz from 200 Hz on."""
    sizes = (("bands = 16", "bands = 4"), ("taps = 64", "taps = 16"), ("* 225", "* 900"))
    flat = smaller("channel_vocoder", tmp_path, *sizes)
    pulses = [1.0 if t % 40 == 0 else 0.0 for t in range(400)]
    rows = np.array(run(flat, 1, speech=pulses).written["speech.out"])[:5]
    assert rows[0] == 40
    tone = [cmath.exp(2j * np.pi * t / 8).real for t in range(400)]
    rows = np.array(run(flat, 1, speech=tone).written["speech.out"])[:5]
    assert np.argmax(rows[1:]) == 0 and rows[1] > 2 * rows[2:].max()


def test_fm_radio_demodulates_and_equalizes_without_end() -> None:
    out = printed(run(program("fm_radio"), 5), "Speaker")
    assert len(out) >= 5 and np.all(np.isfinite(out)) and np.ptp(out) > 0


def test_vocoder_filters_follow_the_transform_of_the_last_28_samples() -> None:
    """Before any stretching: the damped sliding transform against numpy's, over whole windows."""
    flat = program("vocoder")
    execution = Execution(flat)
    joiner = flat.of_kind("joiner")[0]
    heard: list[complex] = []
    send = execution.send

    def spy(node, items) -> None:
        if node is joiner:
            heard.append(complex(*items))
        send(node, items)

    execution.send = spy
    execution.run(20)
    rows = np.array(heard).reshape(-1, 15)
    wave = np.array([1000 if 2 * (t % 14) < 14 else -1000 for t in range(80)])
    assert len(rows) > 30
    for t in range(28, len(rows)):
        window = wave[t - 27 : t + 1] * 0.9999 ** np.arange(27, -1, -1)
        expected = np.fft.fft(window)[:15]
        assert np.allclose(rows[t], expected, atol=20), t
