"""The nine benchmarks: sizes and rates against MIT's compiler, and what they compute against independent references.

Facts: flat counts as MIT's compiler gives them for the suite's own programs; rates and repetitions of the actors that it
left whole when it partitioned for 4x4 and 6x6 tiles, its steady state divided by the factor by which fission made it
longer (`FACTS`: 2 for FMRadio on 6x6, 9 for Audiobeam on 6x6, 2 for Vocoder on 4x4, 1 else).
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

# Fused actors of MIT's: a run of our filters that takes and gives the same a steady state.
FUSED = {
    "beamformer": [(("InputGenerate", "BeamFirFilter"), 0, 2)],
    "channel_vocoder": [(("CorrelationPeak",), 50, 1), (("HighPassFilter", "Compressor"), 50, 1)],
    "des": [(("Round",), 64, 64)],
    "filter_bank": [(("Combine", "Sink"), 8 * 8, 0), (("FirFilter", "DownSample", "UpSample", "FirFilter"), 8, 8)],
    "tde": [(("Transpose", "Expand"), 6 * 1080, 6 * 1920), (("Transpose", "Sink"), 6480, 0)],
    "vocoder": [(("StepSource", "Delay"), 0, 1), (("Sum", "FloatToInt"), 20, 1), (("Multiplier",), 40, 20)],
}


@cache
def program(name: str) -> FlatGraph:
    return read(str(PROGRAMS / f"{name}.str"))


def run(flat: FlatGraph, steady_states: int, **files: list[float]) -> Execution:
    execution = Execution(flat, {f"{name}.in": items for name, items in files.items()})
    execution.run(steady_states)
    return execution


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
    for names, taken, given in FUSED[name]:
        if names == ("Round",):  # a container; what stands at its two ends
            first = last = next(node for node in nodes if node.name == "CrissCross")
        else:
            first = next(node for node in nodes if node.name == names[0])
            last = next(node for node in reversed(nodes) if node.name == names[-1])
        if names[0] == "Transpose" and names[-1] == "Sink":
            first = [node for node in nodes if node.name == "Transpose"][-1]
        assert first.stream.work.pop * first.repetitions == taken, names
        assert last.stream.work.push * last.repetitions == given, names


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
    out = np.array(printed(run(program("filter_bank"), 30), "Sink"))
    t = np.arange(1000)
    source = np.sin(0.1 * t) + 0.25 * np.cos(1.3 * t)
    late = 8
    assert np.allclose(out[48:], source[48 - late : len(out) - late], atol=1e-5)


def small_tde(tmp_path: Path) -> FlatGraph:
    text = (PROGRAMS / "tde.str").read_text()
    for old, new in (("channels = 6", "channels = 1"), ("pulses = 15", "pulses = 2")):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "tde.str"
    file.write_text(text)
    return read(str(file))


def test_tde_shifts_every_pulse_by_half_a_sample(tmp_path: Path) -> None:
    out = np.array(printed(run(small_tde(tmp_path), 1), "Sink")).reshape(36, 2, 2)
    t = np.arange(36)
    for pulse in range(2):
        padded = np.zeros(64, complex)
        padded[:36] = np.exp(1j * (np.pi * t * t / 64 + 0.2 * pulse))
        frequency = np.fft.fftfreq(64)
        expected = np.fft.ifft(np.fft.fft(padded) * np.exp(2j * np.pi * frequency * 0.5))[:36]
        assert np.allclose(out[:, pulse, 0] + 1j * out[:, pulse, 1], expected, atol=1e-4)


def test_beamformer_reports_the_pulse_in_the_beam_that_looks_at_it() -> None:
    """Beams look at sines of -0.75, -0.25, 0.25 and 0.75; the pulse comes from 0.25."""
    assert set(printed(run(program("beamformer"), 150), "Detector")) == {2}


def test_audiobeam_averages_what_all_microphones_hear_at_one_moment() -> None:
    def heard(i: int, t: float) -> float:
        first = abs(complex(0.25, 0.2))
        return np.sin(0.2 * (t - (abs(complex(0.25 + 0.021 * i, 0.2)) - first) / 343 * 16000))

    samples = [heard(i, t) for t in range(60) for i in range(15)]
    out = printed(run(program("audiobeam"), 20, microphones=samples), "Printer")
    assert np.allclose(out, [np.sin(0.2 * t) for t in range(len(out))], atol=0.01)


def test_channel_vocoder_finds_pitch_and_the_loud_band() -> None:
    """A pulse every 40 samples, from 8000 samples a second; then a tone of 1000 Hz, in the band from 875 to 1100."""
    pulses = [1.0 if t % 40 == 0 else 0.0 for t in range(600)]
    rows = np.array(run(program("channel_vocoder"), 3, speech=pulses).written["speech.out"]).reshape(-1, 17)
    assert set(rows[1:, 0]) == {40.0}
    tone = [cmath.exp(2j * np.pi * t / 8).real for t in range(600)]
    rows = np.array(run(program("channel_vocoder"), 3, speech=tone).written["speech.out"]).reshape(-1, 17)
    assert set(np.argmax(rows[1:, 1:], axis=1)) == {3}


def test_fm_radio_demodulates_and_equalizes_without_end() -> None:
    out = printed(run(program("fm_radio"), 40), "Speaker")
    assert len(out) >= 40 and np.all(np.isfinite(out)) and np.ptp(out) > 0


def test_vocoder_filters_follow_the_transform_of_the_last_28_samples() -> None:
    """Before any stretching: the damped sliding transform against numpy's, over whole windows."""
    flat = program("vocoder")
    execution = Execution(flat)
    joiner = flat.of_kind("joiner")[0]
    rows: list[np.ndarray] = []
    send = execution.send

    def spy(node, items) -> None:
        if node is joiner:
            rows.append(np.array(items).reshape(15, 2) @ np.array([1, 1j]))
        send(node, items)

    execution.send = spy
    execution.run(40)
    wave = np.array([1000 if 2 * (t % 14) < 14 else -1000 for t in range(80)])
    for t in range(28, 40):
        window = wave[t - 27 : t + 1] * 0.9999 ** np.arange(27, -1, -1)
        expected = np.fft.fft(window)[:15]
        assert np.allclose(rows[t] , expected, atol=20), t
