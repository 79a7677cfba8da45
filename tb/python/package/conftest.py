from pathlib import Path

import pytest
from braid_tools.gates import user_project


@pytest.fixture(scope="session")
def installed() -> Path:
    """The installed package, moved to another place after it was installed: one for all tests."""
    return user_project.install(user_project.SCRATCH / "prefix")
