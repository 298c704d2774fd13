"""The odds of Age of Fantasy: of a volley and of a melee, counted by the very steps that play them.

    attacks       one attack, from its hit roll to its wounds
    states        units as attacks leave them
    engagement    two units, followed through all attacks that lie before them
    volleys       what shooting does
    melees        what a charge does
    sampling      the same where there are too many outcomes to be counted
    results       what is known when all is counted
    telling       how it is told

Nothing here knows a rule.
"""
