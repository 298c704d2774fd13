"""Odds: what an attack may bring, counted by the very rules that play it.

    distribution    how likely each value is, exactly
    playing         a real step, played out over every outcome of its dice
    conditions      what may be told about an attack when its odds are asked for, declared once
    telling         odds in a table, in a sentence and in a chart, in every language
    asking          the question, the answer, and what a game fills in

They are part of the engine, since a game tells its odds as it tells its aids or its lists (`Game.odds`), and screens
ask for them without knowing which game it is. A game without odds has nothing to do.
"""

from oriflamme.engine.odds.asking import Answer, Odds, Question
from oriflamme.engine.odds.conditions import Conditions
from oriflamme.engine.odds.distribution import Distribution, Estimate
from oriflamme.engine.odds.playing import KnownFirst, over_all_dice, over_all_rolls, play_out
from oriflamme.engine.odds.telling import Chart, Clause, Column, Table

__all__ = [
    "Answer",
    "Chart",
    "Clause",
    "Column",
    "Conditions",
    "Distribution",
    "Estimate",
    "KnownFirst",
    "Odds",
    "Question",
    "Table",
    "over_all_dice",
    "over_all_rolls",
    "play_out",
]
