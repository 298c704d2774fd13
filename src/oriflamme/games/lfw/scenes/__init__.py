"""Sentences, questions and facts of cases, chapter by chapter. `scene.py` puts them together.

A chapter has a module here with `SENTENCES`, `QUESTIONS`, `VALUES` and, if it likes, `OF_UNIT` and `OF_BATTLE`; it is
named in `CHAPTERS` of `scene_words.py`.
"""

from oriflamme.games.lfw.state import steps as game_steps

# What is done in cases only.
case_steps = game_steps.more()
