"""The main job's runs and axes."""

from braid_tools.papers.tentacle import main_job


def test_six_networks_times_scalings() -> None:
    assert len(main_job.jobs([1, 2])) == 12
    assert main_job.REFERENCE in main_job.NETWORKS


def test_normalized_scaling_is_one_where_all_are_bound_by_computation() -> None:
    curves = {"slow": [50.0, 50.0, 40.0, 20.0], "ideal": [100.0, 80.0, 40.0, 20.0]}
    assert main_job.normalized([1, 2, 4, 8], curves) == [0.25, 0.5, 1.0, 2.0]
