"""Cases of campaigns: two bands at the end of a battle, what it does to them, and their time until the next one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from oriflamme.engine.cases.scenes import Deed, Fact, Question, Sentence, count
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.state import PARTS, Kind, made
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.words.notices import listed, quoted
from oriflamme.engine.words.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.games.sbh import fighters
from oriflamme.games.sbh.campaign.aftermath import after_battle, result_of
from oriflamme.games.sbh.campaign.camp import Camp, CampGame
from oriflamme.games.sbh.campaign.camp import steps as camp_steps
from oriflamme.games.sbh.campaign.events import ScenarioSet
from oriflamme.games.sbh.campaign.series import BATTLES, ahead, end_of_campaign, score_of, set_out
from oriflamme.games.sbh.campaign.warband import PRICES, Item, Member, Warband
from oriflamme.games.sbh.fighters import UPGRADES
from oriflamme.games.sbh.game import game as song
from oriflamme.games.sbh.markers import ITEMS
from oriflamme.games.sbh.results import remove
from oriflamme.games.sbh.roster import cards, races
from oriflamme.games.sbh.scenarios import SCENARIOS, victory_points
from oriflamme.games.sbh.scene import SbhScenes
from oriflamme.games.sbh.scene_words import SLOT_OF
from oriflamme.games.sbh.setup import POINTS, begin, make_setup
from oriflamme.games.sbh.state import Battle, Fighter

# Keys of a fighter that only a campaign has.
OWN = ("experience", "misses", "brought")
# What befalls a fighter in a battle, for one game.
PASSING = {
    "forsaken": "a Priest without powers",
    "drained": "his magic is exhausted",
    "dry": "has no ammunition left",
    "rerolled": "a Hero who has used his re-roll",
    "brave": "immune to Terror by the band upgrade",
    "wounds": "Quality lost by wounds",
    "poison": "Quality lost by poison",
    "fate": '"killed", "trapped", "routed", "left", or ""',
}
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
    steps = BetweenGame.steps
    army: Mapping[str, Mapping[str, str]] = {}
    relative = frozenset()

    def build(self, top: Reader, problems: Problems, dice: Dice) -> Any:
        table = top.table("campaign")
        number = table.integer("battle", low=1, high=BATTLES[1], default=1)
        battles = table.integer("battles", low=number, high=BATTLES[1], default=max(4, number))
        earned, spent = (_pair(table, key) or (0, 0) for key in ("earned", "spent"))
        victory = _pair(table, "victory")
        upgrades = [table.texts(f"upgrades_{side}", default=[]) for side in (1, 2)]
        for side, names in enumerate(upgrades, 1):
            for name in names:
                if name not in UPGRADES:
                    table.unknown(f"upgrades_{side}", name, UPGRADES, what="band upgrade")
        table.finish()

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
        battle.over = False
        return super().deed(battle, sentence, top)

    def must_be_there(self, battle: Any, name: str) -> None:
        there = battle.fight.units
        if name not in there:
            hint = did_you_mean(name, there) or f"there are {listed(there, 'and')}"
            raise problem_with("do", f"no fighter {quoted(name)} in this battle", hint=hint)

    def answer(self, battle: Any, decision: Decision, raw: Any) -> Any:
        return raw

    def names(self, battle: Any) -> set[str]:
        lessons = {rule for card in cards().values() for rule in card.rules}
        return {*battle.everybody(), *cards(), *races(), *UPGRADES, *PRICES, *lessons}

    def units(self, battle: Any) -> list[str]:
        return list(battle.everybody())

    def found(self, battle: Any, unit: str) -> Any:
        band, member = battle.find(unit)
        item = next((item for item in band.items if item.bearer == unit), Item(""))
        there = next((f for f in battle.fight.units.values() if unit in (f.id, f.card["id"])), None)
        return Found(band, member, item, there)


class Found(NamedTuple):
    """A fighter of a campaign: his band, what it keeps of him, his magic item, and how he is in the battle."""

    band: Warband
    member: Member
    item: Item
    there: Fighter | None


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
    table = reader.table("brought")
    left, quality = (table.integer(key, low=0, high=6, default=0) for key in ("left", "quality"))
    bearer = "" if table.flag("lost", default=False) else name
    item = Item(table.choice("kind", ITEMS, default="sword"), left, quality, bearer)
    table.finish()
    return item


def _in_battle(reader: Reader, brought: Item | None) -> dict[str, Any]:
    """A fighter as the scene of a battle takes him, with what he brought and has not lost."""
    data = {key: value for key, value in reader.data.items() if key not in OWN}
    if brought is not None and brought.bearer:
        data.setdefault("item", brought.data())
    return data


def _enrol(made: Sequence[Warband], fight: Battle, there: Fighter, reader: Reader, brought: Item | None) -> None:
    """A fighter of the scene as one of his band; who misses this battle is not in it."""
    card = there.card
    band = made[there.side]
    profile = (there.own.quality, there.own.combat, tuple(card["rules"]))
    fighter = fighters.Fighter(there.id, card["card"], card["race"], card["name"], card["points"], *profile, there.hurt)
    experience = reader.integer("experience", low=0, high=99, default=0)
    band.members.append(Member(fighter, card["value"], experience, reader.flag("misses", default=False)))
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


def _going_on(scene: Between) -> None:
    if scene.ended:
        hint = "give it more battles: campaign = { battles = 5 }"
        raise problem_with("do", "the campaign is over", rule="SBH-CAMP-01", hint=hint)


SENTENCES: list[Sentence] = [
    Sentence(
        "side <side> wins the battle",
        "the battle is over, with its aftermath: survival, experience, victory points, items",
        _outcome,
    ),
    Sentence("nobody wins the battle", "the same with no winner", _outcome),
    Sentence("side <side> camps", "that side chooses, until it is ready; asks for prepare", _camps),
    Sentence(
        "the scenario is rolled",
        "one die, when bands are chosen",
        lambda scene, match, top: Deed([("case_set_out",)]),
    ),
    Sentence(
        "the next battle begins",
        "both bands go into it as the campaign sends them; the next outcome is that of this battle",
        lambda scene, match, top: Deed([("case_begin",)]),
    ),
    Sentence(
        f"<fighter> <fate:{'|'.join(FATES)}>",
        "in the battle of the scene, or in the one that has begun",
        lambda scene, match, top: Deed([("case_fate", match["fighter"], FATES[match["fate"]])]),
    ),
]
QUESTIONS: Mapping[str, Question] = {
    "prepare": Question(
        "who camps",
        "reinforce train upgrade recruit give:<number> ready",
        "give:0 is for its first item; not asked when only one answer is left",
    ),
    "choose_race": Question("who camps", "<race> back"),
    "choose_fighter": Question("who camps", "<card> back", "a profile of the roster"),
    "choose_lesson": Question("who camps", "<fighter>:<gain> back", "elf:combat, elf:quality, elf:shooter(long)"),
    "choose_upgrade": Question("who camps", "<upgrade> back"),
    "choose_bearer": Question("who camps", "<fighter> nobody"),
}
KEYS: Mapping[str, Mapping[str, str]] = {
    "campaign": {
        "battle": "which battle this one is",
        "battles": "how many there are; 4 unless it says so",
        "earned": "victory points of each side before this battle",
        "spent": "victory points of each side that are spent",
        "victory": "victory points made in this battle; counted as the scenario says unless it says so",
        "upgrades_1": "upgrades that side 1 has bought",
        "upgrades_2": "upgrades that side 2 has bought",
    },
    "given.<fighter>": {
        "experience": "points he has not spent",
        "misses": "he is away wounded and not in this battle",
        "brought": "the magic item of the band that he came with",
    },
    "given.<fighter>.brought": {
        "kind": "which magic item",
        "left": "points or javelins left in it",
        "quality": "the Quality that a scroll gives",
        "lost": "he bears it no more",
    },
}
SPECIMEN: Mapping[str, Any] = {"given": {"elf": {"brought": {}}}, "campaign": {}}


def _in_fight(what: str, key: str) -> Fact:
    return Fact(f"in the battle: {what}", lambda _, found: getattr(found.there, SLOT_OF.get(key, key), None))


OF_UNIT: Mapping[str, Fact] = {
    "alive": Fact("he lives", lambda _, found: found.member in found.band.members),
    "misses": Fact("he misses the next battle", lambda _, found: found.member.absent),
    "hurt": count("-1 on Quality rolls", lambda _, found: found.member.fighter.hurt),
    "experience": count("points he has not spent", lambda _, found: found.member.experience),
    "quality": count("his Quality", lambda _, found: found.member.fighter.quality),
    "combat": count("his Combat", lambda _, found: found.member.fighter.combat),
    "rules": Fact("his special rules", lambda _, found: list(found.member.fighter.rules)),
    "points": count("his points", lambda _, found: found.member.fighter.points),
    "value": count("what he counts for in victory points", lambda _, found: found.member.value),
    "item": Fact('his magic item, or ""', lambda _, found: found.item.kind),
    "item_left": count("points or javelins left in it", lambda _, found: found.item.left),
    "fights": Fact("he is in the battle that was fought last or has begun", lambda _, found: found.there is not None),
    "bears": Fact(
        'the magic item he bears in it, or ""',
        lambda _, found: found.there.item.kind if found.there is not None and found.there.item is not None else "",
    ),
    "worth": count("what he counts for in it", lambda _, found: found.there.value if found.there is not None else 0),
    **{key: _in_fight(what, key) for key, what in PASSING.items()},
}


def _both(what: str, of: Callable[[Warband], Any]) -> Fact:
    return Fact(f"of each side: {what}", lambda scene, _: [of(band) for band in scene.bands])


def _winner(scene: Between, events: Sequence[Event]) -> str | int:
    winner = ahead(score_of(scene.bands, scene.options))
    return "nobody yet" if not scene.ended else "draw" if winner is None else winner + 1


OF_CAMPAIGN: Mapping[str, Fact] = {
    "number": count("which battle comes next", lambda scene, _: scene.number),
    "scenario": Fact("the scenario of that battle", lambda scene, _: scene.scenario),
    "members": _both("ids of its fighters", lambda band: [m.id for m in band.members]),
    "dead": _both("ids of the dead", lambda band: [m.id for m in band.dead]),
    "fielded": _both("ids of those who fight in the next battle", lambda band: [m.id for m in band.fielded()]),
    "reinforcements": _both("points of the dead, to be spent", lambda band: band.reinforcements),
    "earned": _both("victory points made so far", lambda band: band.earned),
    "purse": _both("victory points it can spend", lambda band: band.purse),
    "upgrades": _both("upgrades it has bought", lambda band: sorted(band.upgrades)),
    "upgrades_in_battle": Fact(
        "of each side: upgrades it has left in the battle",
        lambda scene, _: [sorted(held) for held in scene.fight.upgrades],
    ),
    "items": _both("kinds of its magic items", lambda band: [item.kind for item in band.items]),
    "score": Fact("victory points that count", lambda scene, _: list(score_of(scene.bands, scene.options))),
    "over": Fact("the campaign is over", lambda scene, _: scene.ended),
    "winner": Fact('of the campaign: 1, 2, "draw" or "nobody yet"', _winner),
}
CampaignScenes.sentences = SENTENCES
CampaignScenes.questions = QUESTIONS
CampaignScenes.of_unit = OF_UNIT
CampaignScenes.of_battle = OF_CAMPAIGN
CampaignScenes.keys = KEYS
CampaignScenes.specimen = SPECIMEN
CampaignScenes.values = {
    "ScenarioSet.scenario": tuple(SCENARIOS),
    "BattleFought.scenario": tuple(SCENARIOS),
    "FighterCameBack.fate": tuple(FATES.values()),
    "SurvivalRolled.outcome": ("dead", "absent", "hurt", "unharmed"),
    "ItemKept.item": ITEMS,
    "ItemLost.item": ITEMS,
    "ItemSpent.item": ITEMS,
    "ItemGiven.item": ITEMS,
    "FighterJoined.coin": ("reinforcements", "victory"),
    "FighterTrained.gain": "quality, combat, or a special rule such as shooter(long)",
}
