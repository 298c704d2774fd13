"""What the price of a unit that somebody makes up is told in, where a game counts these."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.words.wording import ENGINE_TEXTS, Wording

PRICE_PARTS: Final = Wording(ENGINE_TEXTS, "price_parts").all()
