"""The special rules of chapter 33, grouped by the chapter they bend. They are declared in the modules of this folder;
`complete` names them all."""

from oriflamme.games.lfw.moments import book
from oriflamme.games.lfw.rules import (
    build,
    duels,
    equipment,
    morale,
    mounts,
    movement,
    night,
    rerolls,
    striking,
    types,
)

book.complete(build, duels, equipment, morale, mounts, movement, night, rerolls, striking, types)
