"""Facts that a battle of Rag'Narok 3 states, by the chapter they belong to."""

from oriflamme.games.rn3.events.losses import *  # noqa: F403
from oriflamme.games.rn3.events.melee import *  # noqa: F403
from oriflamme.games.rn3.events.morale import *  # noqa: F403
from oriflamme.games.rn3.events.moves import *  # noqa: F403
from oriflamme.games.rn3.events.mystics import *  # noqa: F403
from oriflamme.games.rn3.events.shooting import *  # noqa: F403
from oriflamme.games.rn3.events.trials import *  # noqa: F403
from oriflamme.games.rn3.events.turns import *  # noqa: F403
