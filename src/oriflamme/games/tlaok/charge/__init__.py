"""Charges (TLAOK-CHARGE, TLAOK-IMPACT): who may charge whom, the move, what a charge that arrives brings."""
