"""The captain of Last Fantasy War: its answers (`bot`), what units, blows, shots and spells are worth to it (`worth`,
`powers`), what a scenario wants of them (`goals`), and its ways across the table (`routes`)."""

from oriflamme.games.lfw.captain.bot import CaptainBot

__all__ = ["CaptainBot"]
