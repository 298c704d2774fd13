"""What the table shows of a game: the protocol that every game fills, and every drawing reads.

| file | holds |
|---|---|
| `shown.py` | what there is to see of a battle at one moment: figures, units, zones, tokens, … as plain structs |
| `signs.py` | what does not change during a battle: states, tokens, looks and borders with their words and icons |
| `picture.py` | `Picture`, which a game derives: it fills the first and names the folder of the second |
"""
