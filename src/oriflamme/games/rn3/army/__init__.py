"""Companies of Rag'Narok 3: cards, rosters, and how they take the field (RN3-ARMY)."""
