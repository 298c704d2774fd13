"""Scenarios (LFW-SCN, LFW-LEG): what the book's pages say of a game, declared one by one in modules of this folder.

`book.py` has what a scenario is and which there are; `control.py` counts who holds a place.
"""
