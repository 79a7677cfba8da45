"""Many runs and what people look at: sweeps, stores of results, comparisons, reports. `braid.sweep` and the commands
`braid sweep`, `results`, `compare`, `report` and `watch` are made of it."""
