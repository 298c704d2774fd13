"""Rigid blocks of stands: faces, slides, wheels, marches, charges, and the proofs of what they cannot do."""
