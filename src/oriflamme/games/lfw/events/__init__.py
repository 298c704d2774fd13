"""Facts that a battle of Last Fantasy War states, by the chapter they belong to."""

from oriflamme.games.lfw.events.attacks import *  # noqa: F403
from oriflamme.games.lfw.events.environments import *  # noqa: F403
from oriflamme.games.lfw.events.magic import *  # noqa: F403
from oriflamme.games.lfw.events.melee import *  # noqa: F403
from oriflamme.games.lfw.events.morale import *  # noqa: F403
from oriflamme.games.lfw.events.moves import *  # noqa: F403
from oriflamme.games.lfw.events.scenarios import *  # noqa: F403
from oriflamme.games.lfw.events.turns import *  # noqa: F403
