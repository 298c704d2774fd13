"""The chapters that declare things: special rules, skills, effects, command abilities, spells, organisation actions,
scenarios and automata. A module that declares something is named here, and then it is there."""

from oriflamme.games.lfw import abilities as abilities
from oriflamme.games.lfw import effects, moments, objectives, secondary
from oriflamme.games.lfw import environments as environments
from oriflamme.games.lfw import rules as rules
from oriflamme.games.lfw.automata import tables as tables
from oriflamme.games.lfw.commands import common as common
from oriflamme.games.lfw.scenarios import ambush as ambush
from oriflamme.games.lfw.scenarios import breach as breach
from oriflamme.games.lfw.scenarios import crossing as crossing
from oriflamme.games.lfw.scenarios import flood as flood
from oriflamme.games.lfw.scenarios import hill as hill
from oriflamme.games.lfw.scenarios import mine as mine
from oriflamme.games.lfw.scenarios import relic as relic
from oriflamme.games.lfw.scenarios import respect as respect
from oriflamme.games.lfw.scenarios import scourge as scourge
from oriflamme.games.lfw.scenarios import search as search
from oriflamme.games.lfw.scenarios import stronghold as stronghold
from oriflamme.games.lfw.scenarios import supply as supply
from oriflamme.games.lfw.scenarios import titan as titan
from oriflamme.games.lfw.skills import captain, mage, scout, sharpshooter, veteran, zealot
from oriflamme.games.lfw.spells import earth as earth
from oriflamme.games.lfw.spells import fire, wind
from oriflamme.games.lfw.spells import light as light
from oriflamme.games.lfw.spells import savagery as savagery
from oriflamme.games.lfw.spells import shadow as shadow
from oriflamme.games.lfw.spells import thought as thought
from oriflamme.games.lfw.spells import water as water

moments.skills.complete(captain, mage, scout, sharpshooter, veteran, zealot)
moments.effects.complete(effects, fire, mine, objectives, scout, secondary, veteran, wind)
