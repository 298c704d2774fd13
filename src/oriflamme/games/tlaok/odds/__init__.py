"""The odds of Conquest, counted by the very rules that play them.

    strikes       dice that hit, and dice that save
    casualties    what wounds make of a regiment, with its morale and what is struck back
    attacks       volleys, impact attacks and Clashes
    charges, duels, spells
    telling       how all that is told, in tables, sentences and charts
    prospects     what fights and places are worth to the captain

What is asked about is prepared by the chapter that plays it: the same strikes, with the same values and special rules.
Every re-roll is taken, and every choice is made as it usually is.
"""
