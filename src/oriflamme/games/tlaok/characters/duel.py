"""Duels (TLAOK-DUEL): a challenge, which may be refused at a price, and two characters who strike each other."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.combat.attacks import (
    close_strike,
    defence_of,
    dice_of,
    dice_rulings_of,
    tell_defence,
    tell_hits,
)
from oriflamme.games.tlaok.combat.blows import Strike, Struck, roll_to_defend, roll_to_hit_and_ask
from oriflamme.games.tlaok.events import (
    DuelAccepted,
    DuelFought,
    DuelOffered,
    DuelRefused,
    MoraleTested,
)
from oriflamme.games.tlaok.losses.morale import Dismay, Fright, Morale, kinds_of, own_resolve, resolve_of, roll_target
from oriflamme.games.tlaok.losses.wounds import Cause, hurt_character, toughness
from oriflamme.games.tlaok.moments import Exemption, Keyword, book
from oriflamme.games.tlaok.regiment.contact import stands_touching
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.rounds.secondaries import note
from oriflamme.games.tlaok.state import Asking, Battle, Character, Regiment, Stand
from oriflamme.games.tlaok.trials import RollTarget, attempt, value_of

# -- the challenge -----------------------------------------------------------------------------------------------------


def opponents(battle: Battle, regiment: Regiment) -> list[Regiment]:
    """Enemies in contact with the regiment that have a character; the two need not touch (TLAOK-DUEL-01)."""
    return [enemy for enemy in battle.engaged(regiment) if enemy.hero is not None]


def why_not_duel(battle: Battle, regiment: Regiment) -> Refusal | None:
    """There must be somebody to fight (TLAOK-DUEL-01)."""
    return None if opponents(battle, regiment) else Refusal("TLAOK-DUEL-01", "no_opponent", {"regiment": regiment.id})


def why_not_refuse(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Why the character of a regiment cannot refuse: it is Broken, or he has refused before (TLAOK-DUEL-07, -08)."""
    character = regiment.character
    assert character is not None
    facts = {"regiment": regiment.id, "character": character.id}
    if regiment.broken:
        return Refusal("TLAOK-DUEL-08", "broken_must_fight", facts)
    if character.bound:
        return Refusal("TLAOK-DUEL-07", "refused_before", facts)
    return None


@action("duel", "TLAOK-DUEL-01", engaged=True, why_not=why_not_duel, character=True)
def duel(battle: Battle, regiment: Regiment) -> Asking[None]:
    """A duel.

    1. An enemy character is challenged.                                 TLAOK-DUEL-01
    2. His player accepts, or refuses if he may.                         TLAOK-DUEL-02, -07, -08
    3. Refused, his regiment suffers for it until the round ends.        TLAOK-DUEL-03 to -07
    4. Accepted, they strike each other, at the same time or not.        TLAOK-DUEL-09 to -12
    5. Who is slain is removed, the active player's character first.     TLAOK-DUEL-13, -14
    """
    foes = {_of(enemy).id: enemy for enemy in opponents(battle, regiment)}
    hero = _of(regiment)
    options = [
        Option(id, "duel", {"character": id, "target": enemy.id}, (enemy.id, *enemy.led_by))
        for id, enemy in foes.items()
    ]
    about = {"regiment": regiment.id, "character": hero.id}
    enemy = foes[(yield from pick_one(regiment.side, options, "choose_duel", "TLAOK-DUEL-01", about))]
    challenged = _of(enemy)
    battle.tell(DuelOffered("TLAOK-DUEL-01", regiment.id, hero.id, enemy.id, challenged.id))
    must = why_not_refuse(battle, enemy)
    if must is None and not (yield from accepts(battle, regiment, enemy)):
        refuse(battle, enemy)
        return
    battle.tell(DuelAccepted(must.rule if must else "TLAOK-DUEL-02", enemy.id, challenged.id, must is not None))
    yield from fight(battle, regiment, enemy)


def _of(regiment: Regiment) -> Character:
    assert regiment.character is not None
    return regiment.character


def accepts(battle: Battle, regiment: Regiment, enemy: Regiment) -> Asking[bool]:
    """The other player decides (TLAOK-DUEL-02)."""
    options = [Option("accept", "duel_answer"), Option("refuse", "duel_answer")]
    about = {
        "regiment": enemy.id,
        "character": _of(enemy).id,
        "challenger": _of(regiment).id,
        "target": regiment.id,
    }
    key = yield from pick_one(enemy.side, options, "accept_duel", "TLAOK-DUEL-02", about)
    return key == "accept"


def refuse(battle: Battle, regiment: Regiment) -> None:
    """Until the round ends the regiment holds no zone, is not Inspired and has its worst Resolve, and the character
    must accept the next one (TLAOK-DUEL-03 to -07). Bodyguards spare the regiment; whether they spare him too is an
    option (TLAOK-DUEL-08)."""
    challenge = Exemption()
    for stand, held in kinds_of(regiment):
        at(Keyword.when_refusing, (held,), challenge, regiment, stand)
    spared = challenge.because
    regiment.refused |= spared is None
    _of(regiment).bound = spared is None or battle.option("tlaok.bodyguardsRefusal") == "once"
    rule = spared.rule if spared is not None else "TLAOK-DUEL-03"
    battle.tell(DuelRefused(rule, regiment.id, _of(regiment).id, spared.title if spared is not None else ""))


# -- the fight ---------------------------------------------------------------------------------------------------------


class Duellist:
    """One of the two: his stand, what he has suffered so far, and whether he strikes first."""

    __slots__ = ("first", "regiment", "rules", "stand", "wounds")

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        hero = regiment.hero
        assert hero is not None
        self.regiment = regiment
        self.stand: Stand = hero
        self.rules = battle.duel_rules_of(regiment, hero)
        self.wounds = 0
        self.first: SpecialRule | None = None
        at(Keyword.when_duelling, (self.rules,), self)

    def strike_first(self, because: SpecialRule) -> None:
        self.first = because

    def falls(self, battle: Battle) -> bool:
        """So many wounds are too many for him."""
        return self.stand.wounds + self.wounds >= toughness(battle, self.regiment, self.stand)


def fight(battle: Battle, regiment: Regiment, enemy: Regiment) -> Asking[None]:
    """They strike each other: at the same time, or the one who is quicker first, and the other only if he still stands
    (TLAOK-DUEL-09, -12, TLAOK-SR-QUICKSILVER-01)."""
    own, other = Duellist(battle, regiment), Duellist(battle, enemy)
    quick = bool(own.first) != bool(other.first)
    first, second = (other, own) if quick and other.first else (own, other)
    yield from strike(battle, first, second)
    if not (quick and (first.falls(battle) or second.falls(battle))):
        yield from strike(battle, second, first)
    slain = tuple(_of(each.regiment).id for each in (own, other) if each.falls(battle))
    battle.tell(DuelFought("TLAOK-DUEL-10", _of(regiment).id, own.wounds, _of(enemy).id, other.wounds, slain))
    for each, against in ((own, other), (other, own)):
        if each.falls(battle):
            note(battle, "duel_won", against.regiment.side, _of(each.regiment).id)
        cause = Cause("TLAOK-DUEL-10", "duel", against.regiment.id, morale=False, saved=True)
        yield from hurt_character(battle, each.regiment, each.wounds, cause)


def strike(battle: Battle, by: Duellist, at_whom: Duellist) -> Asking[None]:
    """The attacks of one of them from the first die to the last: hits, defence, Resolve; then what natural ones of the
    defence strike back with (TLAOK-DUEL-09, TLAOK-SR-COUNTERATTACK-02)."""
    blow = blow_of(battle, by, at_whom)
    if not blow.attacks:
        return
    yield from roll_to_hit_and_ask(blow, battle.dice, {"regiment": by.regiment.id, "target": at_whom.regiment.id})
    tell_hits(battle, by.regiment, at_whom.regiment, blow)
    _defend(battle, blow, by, at_whom)
    if blow.answers:
        _defend(battle, blow_back(battle, by, at_whom, blow.answers), at_whom, by)


def blow_back(battle: Battle, by: Duellist, at_whom: Duellist, hits: int) -> Strike:
    """What natural ones of the defence strike back with, helped by no special rule (TLAOK-SR-COUNTERATTACK-02)."""
    return Strike("hits", at_whom.regiment.side, hits, None, book.empty, _struck(battle, by), dice_rulings_of(battle))


def blow_of(battle: Battle, by: Duellist, at_whom: Duellist) -> Strike:
    """His Attacks against his Clash."""
    attacks = dice_of(battle, by.regiment, by.stand, "clash")
    return close_strike(battle, by.regiment, by.stand, "duel", attacks, _struck(battle, at_whom))


def _struck(battle: Battle, whom: Duellist) -> Struck:
    """A character as blows find him in a duel, always face to face (TLAOK-DUEL-11)."""
    regiment, hero = whom.regiment, whom.stand
    evasion = value_of(battle, regiment, hero, "evasion")
    return Struck(regiment.side, defence_of(battle, regiment, hero), evasion, whom.rules, "front")


def _defend(battle: Battle, blow: Strike, by: Duellist, whom: Duellist) -> None:
    """Defence rolls, then Resolve rolls for the wounds; all of them are the character's (TLAOK-DUEL-10)."""
    if not blow.hits:
        return
    wounds = roll_to_defend([blow], battle.dice)
    tell_defence(battle, whom.regiment, blow)
    if wounds:
        whom.wounds += wounds + roll_for_resolve(battle, whom, by, wounds)


def roll_for_resolve(battle: Battle, whom: Duellist, by: Duellist, wounds: int) -> int:
    """A die for each wound (TLAOK-DUEL-11); the wounds that come of it."""
    morale, wanted = resolve_test(battle, whom, by, wounds)
    value = morale.value
    cancel = battle.option("tlaok.rerollCancel")
    tested = attempt(battle.dice, wounds, wanted, cancel)
    suffered = morale.wounds(tested.failures)
    why: tuple[Reason, ...] = (*value.reasons, *wanted.why(cancel))
    battle.tell(
        MoraleTested(
            "TLAOK-DUEL-11",
            whom.regiment.id,
            wounds,
            value.number,
            tested.failures,
            suffered,
            tested.faces,
            why,
            tested.again,
        )
    )
    return suffered


def resolve_test(battle: Battle, whom: Duellist, by: Duellist, wounds: int) -> tuple[Morale, RollTarget]:
    """The Resolve rolls for so many wounds, and what their dice need: the Resolve of his regiment, or his own if that
    is played; flank and rear make no difference (TLAOK-DUEL-11)."""
    regiment = whom.regiment
    if battle.option("tlaok.duelResolve") == "character":
        value = own_resolve(battle, regiment, whom.stand)
    else:
        value = resolve_of(battle, regiment)
    morale = Morale(wounds, value, duel=True)
    _frighten(battle, morale, whom, by)
    at(Keyword.before_morale, (whom.rules,), morale, regiment, whom.stand)
    return morale, roll_target(regiment, value)


def _frighten(battle: Battle, morale: Morale, whom: Duellist, by: Duellist) -> None:
    """His opponent, or those of his who touch the regiment, may be terrifying; Fearless of his own helps here
    (TLAOK-SR-TERRIFYING-01, TLAOK-SR-FEARLESS-01)."""
    worst = Dismay()
    for stand in stands_touching(battle, by.regiment, whom.regiment):
        if stand is not by.stand:
            at(Keyword.when_enemy_tests, (by.regiment.keywords_of(stand),), worst, by.regiment, stand)
    at(Keyword.when_enemy_tests, (by.rules,), worst, by.regiment, by.stand)
    if worst.because is None:
        return
    fright = Fright(worst.because, duel=True)
    for stand, held in kinds_of(whom.regiment):
        at(Keyword.when_frightened, (held,), fright, whom.regiment, stand)
    if fright.ignored is None:
        morale.value.change(-worst.amount, worst.because)
