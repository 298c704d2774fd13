"""Cases of campaigns: two bands at the end of a battle, what it does to them, and their time until the next one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from oriflamme.cases.scene import Deed, Sentence, events_of, meaning_of
from oriflamme.engine.battle import Steps
from oriflamme.engine.decisions import Decision
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event
from oriflamme.engine.notices import listed, quoted
from oriflamme.engine.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.engine.state import PARTS, Kind, made
from oriflamme.games.sbh import bands
from oriflamme.games.sbh.campaign import events as happenings
from oriflamme.games.sbh.campaign.aftermath import after_battle, result_of
from oriflamme.games.sbh.campaign.camp import Camp, CampGame
from oriflamme.games.sbh.campaign.camp import steps as camp_steps
from oriflamme.games.sbh.campaign.events import ScenarioSet
from oriflamme.games.sbh.campaign.series import BATTLES, ahead, end_of_campaign, score_of, set_out
from oriflamme.games.sbh.campaign.warband import PRICES, Item, Member, Warband
from oriflamme.games.sbh.game import game as song
from oriflamme.games.sbh.markers import ITEMS
from oriflamme.games.sbh.results import remove
from oriflamme.games.sbh.roster import cards, races
from oriflamme.games.sbh.scenarios import victory_points
from oriflamme.games.sbh.scene import SbhScenes
from oriflamme.games.sbh.setup import POINTS, begin, make_setup
from oriflamme.games.sbh.state import UPGRADES, Battle, Fighter

# Keys of a fighter that only a campaign has.
OWN = ("experience", "misses", "brought")
# What befalls a fighter in a battle, for one game.
PASSING = ("forsaken", "drained", "dry", "rerolled", "brave", "wounds", "poison", "fate")
TOPICS = ("reinforce", "train", "upgrade", "recruit", "give", "ready", "back", "nobody", "own", "quality", "combat")
FATES = {"is killed": "killed", "is trapped": "trapped", "routs": "routed", "leaves the table": "left"}

steps = Steps()
steps.by_name |= camp_steps.by_name


class Between(Camp):
    """Both bands of a campaign, and the battle they come from or go into. One side at a time is in camp."""

    __slots__ = ("bands", "battles", "ended", "fight", "scenario", "victory")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "band": made("twin.bands[self.side]"),
        "bands": PARTS,
        "fight": made("self.fight_with(twin.dice)"),
    }

    def __init__(self, bands: list[Warband], fight: Battle, number: int, battles: int, dice: Dice) -> None:
        super().__init__(0, number, bands[0], fight.options, dice)
        self.bands = bands
        self.fight = fight
        self.battles = battles
        self.scenario = fight.scenario
        self.victory: tuple[int, int] | None = None
        self.ended = False

    def camps(self, side: int) -> None:
        self.side, self.band, self.over = side, self.bands[side], False

    def go_on(self, *, drawn: bool) -> None:
        """To camp, or to the end."""
        self.drawn = drawn
        self.victory = None
        if self.number == self.battles:
            self.ended = True
            self.tell(end_of_campaign(self.bands, self.options))
            return
        self.number += 1
        self.final = self.number == self.battles

    def find(self, id: str) -> tuple[Warband, Member]:
        return next((band, m) for band in self.bands for m in (*band.members, *band.dead) if m.id == id)

    def everybody(self) -> list[str]:
        return [member.id for band in self.bands for member in (*band.members, *band.dead)]

    def fight_with(self, dice: Dice) -> Battle:
        """A copy of the battle that throws these dice."""
        twin = self.fight.copy()
        twin.dice = dice
        return twin


class BetweenGame(CampGame):
    """What a case may do between battles: all that a camp may, and the battle itself in one stroke."""

    steps = steps


class CampaignScenes(SbhScenes):
    """Scenes with a [campaign]; docs/cases.md describes them."""

    game = BetweenGame()
    suggested = frozenset()
    relative = frozenset()
    naming = frozenset({"fighter", "upgrade", "card"})
    events: ClassVar[dict[str, type[Event]]] = events_of(happenings)
    questions = frozenset(
        {"prepare", "choose_race", "choose_fighter", "choose_lesson", "choose_upgrade", "choose_bearer"}
    )

    def build(self, top: Reader, problems: Problems, dice: Dice) -> Any:
        told = top.table("campaign")
        number = told.integer("battle", low=1, high=BATTLES[1], default=1)
        battles = told.integer("battles", low=number, high=BATTLES[1], default=max(4, number))
        earned, spent = (_pair(told, key) or (0, 0) for key in ("earned", "spent"))
        victory = _pair(told, "victory")
        upgrades = [told.texts(f"upgrades_{side}", default=[]) for side in (1, 2)]
        for side, names in enumerate(upgrades, 1):
            for name in names:
                if name not in UPGRADES:
                    told.unknown(f"upgrades_{side}", name, UPGRADES, what="band upgrade")
        told.finish()

        given = top.named_tables("given")
        rest = {key: value for key, value in top.data.items() if key != "campaign"}
        brought = {name: _brought(name, reader) for name, reader in given.items()}
        rest["given"] = {name: _in_battle(reader, brought[name]) for name, reader in given.items()}
        fight = super().build(Reader(rest, problems), problems, dice)
        made = [Warband({"en": name, "fr": name}, POINTS, []) for name in ("one", "two")]
        for name, reader in given.items():
            if fight is not None and name in fight.units:
                _enrol(made, fight, fight.units[name], reader, brought[name])
        if problems or fight is None:
            return None
        for side, band in enumerate(made):
            band.earned, band.spent, band.upgrades = earned[side], spent[side], upgrades[side]
        scene = Between(made, fight, number, battles, dice)
        scene.victory = victory
        return scene

    def deed(self, battle: Any, sentence: str, top: dict[str, Any]) -> Deed:
        match, (_, make) = meaning_of(SENTENCES, sentence)
        battle.over = False
        return make(battle, match, top)

    def answer(self, battle: Any, decision: Decision, raw: Any) -> Any:
        return raw

    def unheard_of(self, battle: Any, name: str) -> str | None:
        known = {*battle.everybody(), *cards(), *races(), *UPGRADES, *PRICES, *TOPICS}
        for word in name.split(":"):
            if word not in known and not word.isdigit():
                return str(did_you_mean(word, known) or "name a fighter, a profile, an upgrade or a thing to do")
        return None

    def units(self, battle: Any) -> list[str]:
        return list(battle.everybody())

    def state(self, battle: Any, unit: str) -> dict[str, Any]:
        band, member = battle.find(unit)
        him = member.fighter
        item = next((item for item in band.items if item.bearer == unit), Item(""))
        there = next((f for f in battle.fight.units.values() if unit in (f.id, f.card["id"])), None)
        return {
            "alive": member in band.members,
            "misses": member.absent,
            "hurt": him.hurt,
            "experience": member.experience,
            "quality": him.quality,
            "combat": him.combat,
            "rules": list(him.rules),
            "points": him.points,
            "value": member.value,
            "item": item.kind,
            "item_left": item.left,
            # In the battle that has been fought or begins.
            "fights": there is not None,
            "bears": there.item.kind if there is not None and there.item is not None else "",
            "worth": there.value if there is not None else 0,
            **{key: getattr(there, key, None) for key in PASSING},
        }

    def facts(self, battle: Any, events: Sequence[Event]) -> dict[str, Any]:
        made: Sequence[Warband] = battle.bands
        winner = ahead(score_of(made, battle.options))
        return {
            "number": battle.number,
            "scenario": battle.scenario,
            "members": [[m.id for m in band.members] for band in made],
            "dead": [[m.id for m in band.dead] for band in made],
            "fielded": [[m.id for m in band.fielded()] for band in made],
            "reinforcements": [band.reinforcements for band in made],
            "earned": [band.earned for band in made],
            "purse": [band.purse for band in made],
            "upgrades": [sorted(band.upgrades) for band in made],
            "upgrades_in_battle": [sorted(held) for held in battle.fight.upgrades],
            "items": [[item.kind for item in band.items] for band in made],
            "score": list(score_of(made, battle.options)),
            "over": battle.ended,
            "winner": "nobody yet" if not battle.ended else "draw" if winner is None else winner + 1,
        }


def _pair(reader: Reader, key: str) -> tuple[int, int] | None:
    """A number for each side, if the key is given."""
    numbers = reader.integers(key, low=0, high=999, default=[])
    if numbers and len(numbers) != 2:
        reader.problem(key, f"{len(numbers)} numbers", hint="one for each side: [4, 1]")
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _brought(name: str, reader: Reader) -> Item | None:
    """The magic item he came into the battle with. He does not bear it any more if it was `lost` there."""
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        reader.problem("", f"{quoted(name)} is not a name", hint="use letters, digits and _ only")
    if not reader.has("brought"):
        return None
    told = reader.table("brought")
    left, quality = (told.integer(key, low=0, high=6, default=0) for key in ("left", "quality"))
    bearer = "" if told.flag("lost", default=False) else name
    item = Item(told.choice("kind", ITEMS, default="sword"), left, quality, bearer)
    told.finish()
    return item


def _in_battle(reader: Reader, brought: Item | None) -> dict[str, Any]:
    """A fighter as the scene of a battle takes him, with what he brought and has not lost."""
    data = {key: value for key, value in reader.data.items() if key not in OWN}
    if brought is not None and brought.bearer:
        data.setdefault("item", brought.data())
    return data


def _enrol(made: Sequence[Warband], fight: Battle, there: Fighter, reader: Reader, brought: Item | None) -> None:
    """A fighter of the scene as one of his band; who misses this battle is not in it."""
    told = there.card
    band = made[there.side]
    profile = (there.own.quality, there.own.combat, tuple(told["rules"]))
    fighter = bands.Fighter(there.id, told["card"], told["race"], told["name"], told["points"], *profile, there.hurt)
    experience = reader.integer("experience", low=0, high=99, default=0)
    band.members.append(Member(fighter, told["value"], experience, reader.flag("misses", default=False)))
    if brought is not None:
        band.items.append(Item(brought.kind, brought.left, brought.quality, there.id))
    if band.members[-1].absent:
        del fight.units[there.id]


# -- sentences ---------------------------------------------------------------------------------------------------------


@steps.step
def case_fate(scene: Between, id: str, fate: str) -> None:
    """He is out of this battle."""
    scene.fight.log = None
    remove(scene.fight, scene.fight.units[id], fate, "case", "SBH-END-01")


@steps.step
def case_aftermath(scene: Between, winner: int) -> None:
    """The battle is over, and what it does to both bands."""
    fight = scene.fight
    fight.winner = None if winner < 0 else winner
    fight.victory = scene.victory or (victory_points(fight, 0), victory_points(fight, 1))
    fight.over = True
    result = result_of(song, fight)
    wrong = result.wrong(scene.bands, fight.scenario)
    if wrong:
        raise ValueError(wrong)
    last = scene.number == scene.battles
    for event in after_battle(scene.bands, scene.number, result, scene.dice, scene.options, last=last):
        scene.tell(event)
    scene.go_on(drawn=result.winner is None)


@steps.step
def case_set_out(scene: Between) -> None:
    """The scenario is rolled, or nobody can fight."""
    for event in set_out(scene.bands, scene.number, scene.dice):
        scene.tell(event)
        if isinstance(event, ScenarioSet):
            scene.scenario = event.scenario
            return
    scene.go_on(drawn=False)


@steps.step
def case_begin(scene: Between) -> None:
    """Both bands go into their next battle as the campaign sends them."""
    choices = {"scenario": scene.scenario, "scale": "15mm", "board": "open", "turns": "none"}
    armies = [band.for_battle() for band in scene.bands]
    scene.fight = begin(make_setup(armies, POINTS, scene.options, choices), scene.dice)


def _outcome(scene: Between, match: re.Match[str], top: dict[str, Any]) -> Deed:
    _going_on(scene)
    side = match.groupdict().get("side")
    return Deed([("case_aftermath", int(side) - 1 if side else -1)])


def _camps(scene: Between, match: re.Match[str], top: dict[str, Any]) -> Deed:
    _going_on(scene)
    scene.camps(int(match["side"]) - 1)
    return Deed([("prepare",)])


def _befalls(scene: Between, match: re.Match[str], top: dict[str, Any]) -> Deed:
    there = scene.fight.units
    if match["fighter"] not in there:
        hint = did_you_mean(match["fighter"], there) or f"there are {listed(there, 'and')}"
        raise problem_with("do", f"no fighter {quoted(match['fighter'])} in this battle", hint=hint)
    return Deed([("case_fate", match["fighter"], FATES[match["fate"]])])


def _going_on(scene: Between) -> None:
    if scene.ended:
        hint = "give it more battles: campaign = { battles = 5 }"
        raise problem_with("do", "the campaign is over", rule="SBH-CAMP-01", hint=hint)


SENTENCES: list[Sentence] = [
    (r"side (?P<side>[12]) wins the battle", _outcome),
    ("nobody wins the battle", _outcome),
    (r"side (?P<side>[12]) camps", _camps),
    ("the scenario is rolled", lambda scene, match, top: Deed([("case_set_out",)])),
    ("the next battle begins", lambda scene, match, top: Deed([("case_begin",)])),
    (rf"(?P<fighter>\w+) (?P<fate>{'|'.join(FATES)})", _befalls),
]
