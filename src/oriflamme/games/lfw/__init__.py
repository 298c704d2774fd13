"""Last Fantasy War: warbands of single figures, one thing each in turn, wounds that wait, courage that breaks."""

from oriflamme.games.lfw.game import game as game
