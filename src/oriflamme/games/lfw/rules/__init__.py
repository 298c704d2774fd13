"""The special rules of chapter 33, grouped by the chapter they bend. They are declared in the modules of this folder;
`complete` names them all."""

from oriflamme.games.lfw.moments import book
from oriflamme.games.lfw.rules import duels, night, rerolls, striking, types

book.complete(duels, night, rerolls, striking, types)
