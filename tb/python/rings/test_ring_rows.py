"""Every row of the study says what it rests on."""

from __future__ import annotations

import pytest
from braid_tools.comparison import Row
from braid_tools.papers.rings.paper import named


@pytest.mark.parametrize(
    ("figure", "quantity", "says"),
    [
        ("section 4.5", "TILE-Gx72, DR2: latency, fitted alone", "TILE-Gx72, DR2: latency, fitted alone"),
        ("section 4.5", "TILE-Gx72, DR6: latency, predicted from DR2", "TILE-Gx72, DR6: latency, predicted from DR2"),
        ("section 4", "hypothesis 1, Xeon E5, arity 2", "hypothesis 1, Xeon E5, arity 2; predicted"),
        ("section 3.3", "72 nodes: messages BT2/DR2", "72 nodes: messages BT2/DR2; structure"),
        ("fit", "what a search gains", "what a search gains; fitted"),
    ],
)
def test_a_row_is_fitted_predicted_or_structure(figure: str, quantity: str, says: str) -> None:
    assert named(Row(figure, quantity, "1", 1, 1, 0.0)).quantity == says
