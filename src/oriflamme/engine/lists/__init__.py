"""Armies on paper: lists are read, checked, priced, built, written, shared and printed here, for every game.

| module | what is in it |
|---|---|
| `fields` | what a unit is described by: read from files, asked for in forms, shown on sheets |
| `shelf` | what ships with a game as files: factions and ready-made lists |
| `reading` | `ListReader`: a list file becomes a typed list, or problems with their places |
| `checking` | limits, each an object that cites its rule and says how full it is |
| `units` | units as people see them: sheets, offers, options, prices, pages |
| `drafts` | a list in the making |
| `armies` | `Armies`: looking up and building, for the command line and the browser |
| `plain` | both for a game whose units are lines of a faction file: the shortest way to a list |
| `toml`, `printing`, `glossary` | lists as files and on paper, and special rules for people |

A game fills in its units, their options, its limits and its price formula.
"""
