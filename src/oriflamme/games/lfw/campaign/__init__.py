"""Campaigns (LFW-CAMP): a series of battles in which specialists learn. What experience buys is our own rule.

company.py  an army through a campaign
camp.py     what each side chooses between battles, in secret: a play of its own
series.py   the campaign itself; what all campaigns have in common: `engine.core.campaign_series`
"""

from __future__ import annotations

from oriflamme.games.lfw.campaign.series import Campaign

__all__ = ["Campaign"]
