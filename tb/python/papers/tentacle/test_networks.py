"""The networks of StreamIt programs on the command line are those of the study."""

import re
import tomllib

from braid_tools.papers.tentacle.networks import NETWORKS
from braid_tools.program import braid


def test_the_programs_networks_are_the_studys() -> None:
    listed = {}
    text = re.sub(r"\n {27}", " ", braid("list", "networks"))  # where the output has columns
    for line in text.splitlines()[1:]:
        name, _, rest = line.strip().partition(" ")
        keys = rest.rsplit(": ", 1)[1]
        listed[name] = dict(key.split(" = ") for key in keys.split(", "))
    studied = {name.replace(", X-first", "_x_first").replace(", ", "_"): keys for name, keys in NETWORKS.items()}
    assert list(listed) == list(studied)
    for name, keys in studied.items():
        # fm_radio.toml, over which the study's keys go, says circuits; a program's experiment says nothing of it.
        theirs = {key: tomllib.loads(f"value = {value}")["value"] for key, value in listed[name].items()}
        # The study tries remedies of its own, on graphs and tiles that are given, and never stays on packets.
        for key in ("stream.remedies", "stream.or_packets"):
            assert theirs.pop(key, False) == (name == "tentacle")
        if name == "tentacle":
            assert theirs.pop("routing.algorithm") == "minimal_adaptive"
        assert {"interface.switching": "circuit", **keys} == theirs
