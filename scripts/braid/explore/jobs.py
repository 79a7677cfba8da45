"""Workers that a batch system or Kubernetes starts: jobs of Slurm or LSF by dask-jobqueue, pods by dask-kubernetes.
Queue, cores, memory and image are those of dask's own configuration files (docs/sweeps.md)."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from braid.errors import BraidError, InputError
from braid.explore.workers import Dask


@dataclass(frozen=True)
class System:
    """Who starts workers."""

    package: str
    module: str
    cluster: str  # a class of that module
    configuration: str  # dask's file, under ~/.config/dask
    submit: str = ""  # the command that has to be here

    def make(self, option: str) -> Any:
        """A cluster without workers. Raises BraidError where package, command or configuration are missing."""
        try:
            cluster = getattr(import_module(self.module), self.cluster)
        except ModuleNotFoundError:
            raise BraidError(f"{option} needs {self.package}: pip install 'braid-interconnect[cluster]'") from None
        if self.submit and shutil.which(self.submit) is None:
            raise BraidError(f"{option}: there is no command {self.submit} here: expected a machine that submits jobs")
        try:
            return cluster()
        except Exception as e:  # whatever the package meets: a key that is missing, no access to the cluster
            text = " ".join(str(e).split())
            raise InputError(
                f"{option}: {self.package}: {text}; expected in ~/.config/dask/{self.configuration}"
            ) from e


SYSTEMS = {
    "slurm": System("dask-jobqueue", "dask_jobqueue", "SLURMCluster", "jobqueue.yaml", "sbatch"),
    "lsf": System("dask-jobqueue", "dask_jobqueue", "LSFCluster", "jobqueue.yaml", "bsub"),
    "kubernetes": System("dask-kubernetes", "dask_kubernetes.operator", "KubeCluster", "kubernetes.yaml"),
}


class Jobs(Dask):
    """A scheduler in this process, and workers that come as the system starts them."""

    def __init__(self, system: str, count: int) -> None:
        if count < 1:
            raise InputError(f"--{system} {count}: expected 1 or more")
        self._cluster = SYSTEMS[system].make(f"--{system}")
        self._cluster.scale(count)
        from distributed import Client

        super().__init__(Client(self._cluster, set_as_default=False), f"{count} jobs of {system}")

    def close(self) -> None:
        """Ends the jobs."""
        super().close()
        self._cluster.close(timeout=10)
