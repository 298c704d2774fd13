"""Automata (LFW-AUTO): tables of behaviour, read line by line, without any question.

`hooks` of the flow that a behaviour fills: `alternation.OWNERLESS` (the go of the army nobody owns),
`alternation.BEHAVING` (a unit with a behaviour was picked), `melee.STRIKES` (it strikes). The tables come as
`automata/classic.py`, `aggressive.py` and `shooter.py`.
"""
