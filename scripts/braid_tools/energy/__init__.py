"""Where the coefficients of energy and area come from: DSENT's figures, and the fits to them."""
