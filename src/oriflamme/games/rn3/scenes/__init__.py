"""Cases of Rag'Narok 3, chapter by chapter: sentences, and the questions their answers belong to."""

from __future__ import annotations

from oriflamme.games.rn3.state import steps

# The steps of the game, and what is done in cases only.
case_steps = steps.more()
