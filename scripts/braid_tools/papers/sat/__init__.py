"""sat-fairness."""
