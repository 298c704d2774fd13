"""How a battle is played: state, questions, dice, events, special rules, saves, and what a game is."""
