"""The captain of Rag'Narok 3: its answers (`bot`), what things are worth to it (`worth`), its ways across the table
(`routes`) and the split of dice as a matrix game (`splits`, `matrix_game`)."""

from oriflamme.games.rn3.captain.bot import CaptainBot

__all__ = ["CaptainBot"]
