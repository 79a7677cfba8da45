import sys
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))


class ByWhatTheyShare(LoadScopeScheduling):
    """Of several processes (-n 2) one runs the tests of a file, which share runs; and one those of the installed
    package, of which there is one."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return "package" if "/package/" in file else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling:
    """pytest-xdist asks for it."""
    return ByWhatTheyShare(config, log)
