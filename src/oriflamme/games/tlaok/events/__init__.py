"""Everything that can happen in a battle of Conquest, by chapter."""

from oriflamme.games.tlaok.events.charges import *  # noqa: F403
from oriflamme.games.tlaok.events.heroes import *  # noqa: F403
from oriflamme.games.tlaok.events.losses import *  # noqa: F403
from oriflamme.games.tlaok.events.moves import *  # noqa: F403
from oriflamme.games.tlaok.events.rounds import *  # noqa: F403
from oriflamme.games.tlaok.events.strikes import *  # noqa: F403
