"""The account takes an irregular network's links from the program, but not any links."""

import pytest
from braid_tools.account import irregular

CONFIGURATION = {
    "experiment": {"seed": 1},
    "topology": {"kind": "irregular", "switches": 4, "switch_ports": 4, "hosts": 2, "instance": 0},
}
RING = {(0, 1): 0, (1, 0): 0, (1, 2): 1, (2, 1): 0, (2, 3): 1, (3, 2): 0, (3, 0): 1, (0, 3): 1}


def built(monkeypatch: pytest.MonkeyPatch, links: dict[tuple[int, int], int]) -> irregular.Network:
    monkeypatch.setattr(irregular, "links_of", lambda *_: links)
    return irregular.irregular(CONFIGURATION)


def test_a_ring_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    network = built(monkeypatch, RING)
    assert network.far[3, 1] == (0, 1)
    assert network.node_ports[7] == [3]


@pytest.mark.parametrize(
    ("links", "why"),
    [
        ({k: v for k, v in RING.items() if k != (3, 0)}, "none back"),
        (RING | {(0, 2): 2, (2, 0): 2}, "ports"),
        (RING | {(0, 1): 1}, "ports"),
        ({(0, 1): 0, (1, 0): 0, (2, 3): 0, (3, 2): 0}, "not joined"),
        ({k: v for k, v in RING.items() if k not in ((3, 0), (0, 3))}, "to spare"),
    ],
)
def test_what_is_no_such_network_is_refused(
    monkeypatch: pytest.MonkeyPatch, links: dict[tuple[int, int], int], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        built(monkeypatch, links)
