"""Campaigns (SBH-CAMP): a series of battles in which bands suffer, learn and grow.

campaign = Campaign.new("autumn.campaign", load("sbh"), battles=4, seed=7, seats=["captain", "captain"])
while not campaign.over:
    campaign.choose_by_bots()     # the time between battles, for every side a bot plays
    campaign.fight_by_bots()      # the next battle, or the rest of it, and its aftermath
print(campaign.winner, campaign.score)

aftermath.py  what a battle does to both bands: survival, experience, victory points
camp.py       what each side then chooses, in secret: a play of its own
warband.py    a band through a campaign
series.py     the campaign itself; what all campaigns have in common: `engine.core.campaign_series`
"""

from __future__ import annotations

from oriflamme.games.sbh.campaign.series import BATTLES, RECOMMENDED, Campaign

__all__ = ["BATTLES", "RECOMMENDED", "Campaign"]
