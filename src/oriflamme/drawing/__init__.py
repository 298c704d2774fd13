"""Pictures of a table: as SVG (`svg`), and in characters for the terminal (`terminal`).

Drawing knows no game. It reads what a game says that its table shows (`engine.picture`), and nothing else of a battle.

| file | draws or says |
|---|---|
| `svg.py` | a battle or a map as one standalone picture |
| `page.py` | the sheet: heading, ground, grid, frame, text |
| `terrain.py` | pieces of terrain |
| `places.py` | zones, borders, objectives, tokens, the place of power |
| `figures.py` | figures on their bases, hulls, coherency, reach, the fallen |
| `badges.py` | the signs of states, and icons |
| `labels.py` | the name of each unit where it hides least |
| `panel.py` | what stands below the table: forces, signs, terrain |
| `captions.py` | what all of these say in words |
| `words.py`, `tags.py` | words of every picture; the short names of units |
"""
