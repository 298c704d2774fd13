"""Battlefields (LFW-SETUP-04, -12): what a scenario asks of its table, tables made from a seed, and which one is used.

`demands.py` judges any table and knows nothing of how one is made; `fairness.py` compares what players meet;
`generator.py` makes tables, `houses.py` what stands on them; `choice.py` finds the table of a battle.
"""
