"""Every fact, question, choice and refusal has a sentence in every language, and no sentence is left over.

What needs words is read from the source itself: the event classes, the decisions that are asked, the options offered
and the refusals given, each with the facts it carries.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import oriflamme
from oriflamme.engine.core import decisions, questions
from oriflamme.engine.core.decisions import TAKE_BACK, Decision, Option, PickOne
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.events import Event, Reason, Refusal
from oriflamme.engine.core.play import GIVE_UP, Play
from oriflamme.engine.words.of_battles import names_of
from oriflamme.engine.words.sentences import (
    LANGUAGES,
    BadTemplate,
    Choice,
    Fact,
    Forms,
    Sentence,
    Sentences,
    Template,
    parse,
    sentences,
)
from oriflamme.engine.words.text import Names, Voice
from oriflamme.games import ids, load
from oriflamme.games.aof.events import ArmyDestroyed, RoundBegan

SOURCE = Path(oriflamme.__file__).parent
KINDS: dict[str, Any] = {
    name: cls
    for name, cls in vars(decisions).items()
    if inspect.isclass(cls) and issubclass(cls, Decision) and cls.kind
}


# Steps ask them by these names, which take the same arguments (`engine.core.questions`).
KINDS |= {
    "pick_one": KINDS["PickOne"],
    "put_in_order": KINDS["PutInOrder"],
    "pick_several": KINDS["PickSeveral"],
    "allocate": KINDS["Allocate"],
    "place_figures": KINDS["Place"],
    "move_figures": KINDS["Move"],
    "move_blocks": KINDS["Manoeuvre"],
    "yes_or_no": questions.yes_or_no,
}


# -- what needs words --------------------------------------------------------------------------------------------------


class Site(NamedTuple):
    """A place in the source that needs a sentence: which, and the facts it gives. Keys may end in * (any ending)."""

    key: str
    facts: frozenset[str]
    where: str


class Needs:
    """What a folder of source needs words for. Where a question is handed to a function, who hands it over says which.

    `answers` are the options without a word of their own, by the question they answer: an entry of its name may tell
    them, else they are told by the name of their key.
    """

    def __init__(self, folder: Path) -> None:
        self.asks: list[Site] = []
        self.words: list[Site] = []
        self.answers: list[Site] = []
        self.whys: list[Site] = []
        # A campaign that has sentences of its own speaks for itself.
        apart = "campaign" if (folder / "text" / "campaign_en.toml").exists() or folder.name == "engine" else ""
        self.files = sorted(path for path in folder.rglob("*.py") if apart not in path.relative_to(folder).parts)
        self.calls: list[tuple[Path, ast.AST, ast.Call]] = []
        # How things are made, by the name of their class.
        self.makers: dict[str, ast.FunctionDef] = {}
        for path in self.files:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            self.makers |= makers(tree)
            self.calls += [(path, function, call) for function, call in calls(tree)]
        for path, function, call in self.calls:
            self.take(path, function, call)

    def take(self, path: Path, function: ast.AST, call: ast.Call) -> None:
        name = called(call)
        where = f"{path.name}:{call.lineno}"
        if name in KINDS:
            self.asks += self.asked(path, function, call)
            if name == "yes_or_no":
                given = bound(questions.yes_or_no, call)
                facts = keys(given.get("facts"), function) | {"key"}
                words = {word for word in texts(given.get("word"), function) if word}
                self.words += [Site(word, facts | abouts(function), where) for word in words]
                if not words:
                    asks = self.asked(path, function, call)
                    self.answers += [Site(site.key, facts | site.facts, where) for site in asks]
        elif name in ("Option", "thing"):
            given = bound(Option if name == "Option" else Option.thing, call)
            facts = keys(given.get("facts"), function) | {"key"}
            words = {word for word in texts(given.get("word"), function) if word}
            self.words += [Site(word, facts | abouts(function), where) for word in words]
            if not words:
                asks = [
                    a for p, f, c in self.calls if f is function and called(c) in KINDS for a in self.asked(p, f, c)
                ]
                self.answers += [Site(site.key, facts | site.facts, where) for site in asks]
        elif name == "Refusal":
            given = bound(Refusal, call)
            for key in texts(given.get("why"), function):
                self.whys.append(Site(key, keys(given.get("facts"), function) | {"rule"}, where))
        elif name == "refuse":
            facts = frozenset(k.arg for k in call.keywords if k.arg)
            for key in texts(call.args[0], function):
                self.whys.append(Site(key, facts | {"rule"}, where))

    def asked(self, path: Path, function: ast.AST, call: ast.Call) -> list[Site]:
        """The questions a decision may ask, with the facts it gives wherever it is asked from."""
        given = bound(KINDS[called(call)], call)
        where = f"{path.name}:{call.lineno}"
        asks, told = given.get("ask"), given.get("about")
        found = [
            Site(key, facts | {"side"}, where) for key in texts(asks, function) for facts in self.facts(told, function)
        ]
        if found or not isinstance(asks, ast.Name):
            return found
        for other, caller, handed in self.callers(function):
            about = handed.get(told.id) if isinstance(told, ast.Name) else None
            known = self.facts(about, caller) if about is not None else self.facts(told, function)
            for key in self.handed(handed.get(asks.id), caller):
                found += [Site(key, facts | {"side"}, other) for facts in known]
        return found

    def handed(self, node: ast.expr | None, function: ast.AST, hops: int = 3) -> set[str]:
        """What a string can be that a function was given, perhaps by one that was given it itself."""
        found = texts(node, function)
        if found or not isinstance(node, ast.Name) or not hops:
            return found
        further = [(given.get(node.id), caller) for _, caller, given in self.callers(function)]
        return {key for value, caller in further for key in self.handed(value, caller, hops - 1)}

    def facts(self, node: ast.expr | None, function: ast.AST) -> list[frozenset[str]]:
        """The keys of a table of facts; several of them if it is handed over from several places."""
        if isinstance(node, ast.Call) and called(node) == "dict" and node.args:
            node = node.args[0]
        if isinstance(node, ast.Attribute):
            return self.kept(node, function) or [frozenset()]
        found = keys(node, function)
        if found or not isinstance(node, ast.Name):
            return [found]
        handed = [(caller, given[node.id]) for _, caller, given in self.callers(function) if node.id in given]
        return [facts for caller, given in handed for facts in self.facts(given, caller)] or [found]

    def kept(self, node: ast.Attribute, function: ast.AST) -> list[frozenset[str]]:
        """The keys of a table that something handed to a moment has kept since it was made, where it is announced."""
        kinds = parameter_kinds(function)
        kind = kinds.get(node.value.id, "") if isinstance(node.value, ast.Name) else ""
        maker = self.makers.get(kind)
        if maker is None:
            return []
        value = next(iter(kept_as(node.attr, maker)), None)
        own = keys(value, maker)
        names = [value] if isinstance(value, ast.Name) else unpacked(value)
        handed = [
            (caller, given[name.id])
            for name in names
            for _, caller, given in self.callers(maker, kind)
            if isinstance(name, ast.Name) and name.id in given and announces(caller, function)
        ]
        return [own | facts for caller, given in handed for facts in self.facts(given, caller)] or [own]

    def callers(self, function: ast.AST, name: str = "") -> Iterator[tuple[str, ast.AST, dict[str, ast.expr]]]:
        """Where a function is called: the place, the function that calls it, and what is handed over by name."""
        if not isinstance(function, ast.FunctionDef):
            return
        parameters = [a.arg for a in (*function.args.args, *function.args.kwonlyargs) if a.arg != "self"]
        for path, caller, call in self.calls:
            if called(call) != (name or function.name) or caller is function:
                continue
            given = dict(zip(parameters, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
            if function.args.kwarg is not None:
                rest = {name: value for name, value in given.items() if name not in parameters}
                given[function.args.kwarg.arg] = ast.Dict([ast.Constant(name) for name in rest], list(rest.values()))
            yield f"{path.name}:{call.lineno}", caller, given


def called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def calls(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Every call, with the outermost function it stands in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield from ((node, inner) for inner in ast.walk(node) if isinstance(inner, ast.Call))
        else:
            yield from calls(node)


def makers(tree: ast.AST) -> dict[str, ast.FunctionDef]:
    """How the classes of a module are made."""
    return {
        cls.name: made
        for cls in ast.walk(tree)
        if isinstance(cls, ast.ClassDef)
        for made in cls.body
        if isinstance(made, ast.FunctionDef) and made.name == "__init__"
    }


def parameter_kinds(function: ast.AST) -> dict[str, str]:
    """The class of each parameter that is declared with one."""
    found = function.args.args if isinstance(function, ast.FunctionDef) else []
    return {a.arg: a.annotation.id for a in found if isinstance(a.annotation, ast.Name)}


def kept_as(name: str, maker: ast.FunctionDef) -> Iterator[ast.expr]:
    """What `self.name` is when something is made."""
    for node in ast.walk(maker):
        if isinstance(node, ast.Assign):
            targets = [t.attr for t in node.targets if isinstance(t, ast.Attribute)]
            yield from [node.value] if name in targets else []


def announces(caller: ast.AST, moment: ast.AST) -> bool:
    """Whether a function announces a moment: at(Keyword.moment, ...)."""
    named = {node.attr for node in ast.walk(caller) if isinstance(node, ast.Attribute)}
    return isinstance(moment, ast.FunctionDef) and moment.name in named


def unpacked(node: ast.expr | None) -> list[ast.expr]:
    """The tables that another one takes in: {"a": 1, **these}."""
    if not isinstance(node, ast.Dict):
        return []
    return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]


def bound(cls: type, call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by the name of their parameter."""
    names = [p for p in inspect.signature(cls).parameters if p != "self"]
    given = dict(zip(names, call.args, strict=False))
    return given | {k.arg: k.value for k in call.keywords if k.arg}


def texts(node: ast.expr | None, function: ast.AST) -> set[str]:
    """What a string can be, looking up what is assigned to names in the same function."""
    match node:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.IfExp(body=body, orelse=orelse):
            return texts(body, function) | texts(orelse, function)
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
            return {start + "*"}
        case ast.Name(id=name):
            return {text for value in assigned(name, function) for text in texts(value, function)}
    return set()


def keys(node: ast.expr | None, function: ast.AST) -> frozenset[str]:
    """The keys of a table of facts: written here, or where its name was last given one above."""
    match node:
        case ast.Dict(keys=names):
            own = {k.value for k in names if isinstance(k, ast.Constant) and isinstance(k.value, str)}
            return frozenset(own).union(*(keys(more, function) for more in unpacked(node)))
        case ast.Name(id=name) as node:
            before = (v for v in assigned(name, function) if v.lineno <= node.lineno and node not in ast.walk(v))
            above = sorted(before, key=lambda v: v.lineno)
            found = [keys(value, function) for value in above if isinstance(value, ast.Dict)][-1:]
            if not found:  # taken from a list of tables made in the same function
                made = [n for n in ast.walk(function) if isinstance(n, ast.ListComp) and isinstance(n.elt, ast.Dict)]
                found = [keys(n.elt, function) for n in made]
            return frozenset.intersection(*found) if found else frozenset()
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return keys(left, function) | keys(right, function)
    return frozenset()


def assigned(name: str, function: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                yield from (value for to, value in pairs if isinstance(to, ast.Name) and to.id == name)
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id == name
            and node.value
        ):
            yield node.value


def abouts(function: ast.AST) -> frozenset[str]:
    """The facts of the decisions asked in a function: an option may speak of them too."""
    found: frozenset[str] = frozenset()
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS:
            found |= keys(bound(KINDS[node.func.id], node).get("about"), function)
    return found


def events_of(module: ModuleType) -> dict[str, type[Event]]:
    return {
        name: cls
        for name, cls in vars(module).items()
        if inspect.isclass(cls) and issubclass(cls, Event) and cls is not Event
    }


def unguarded(template: Template, defence_rolls: frozenset[str] = frozenset()) -> set[str]:
    """The facts a template cannot do without: those not asked for first with {fact?...}."""
    found: set[str] = set()
    for node in template:
        match node:
            case Fact(field, _):
                found |= {field} - defence_rolls
            case Forms(field, forms):
                found |= {field} - defence_rolls
                for form in forms:
                    found |= unguarded(form, defence_rolls)
            case Choice(field, yes, no):
                # The other part is for another kind of facts, which the guard tells apart.
                found |= unguarded(yes, defence_rolls | {field}) if not no else set()
    return found


ENGINE = Needs(SOURCE / "engine")

# Words that the source puts together: what a fighter may do is named by the beginning of its key.
_DICE = frozenset({"fighter", "key", "dice"})
_DEED = frozenset({"fighter", "key", "actions"})
COMPOSED: dict[str, list[Site]] = {
    "sbh": [
        *(Site(word, _DICE, "turns.announcements") for word in ("cast", "heal", "cast+heal", "scroll")),
        *(Site(word, _DEED, "actions.open_actions") for word in ("move", "leave", "break", "stand", "done")),
        *(
            Site(word, _DEED | {"target"}, "actions.open_actions")
            for word in (
                "attack", "power", "shoot", "aim", "javelin", "aimjavelin", "heal", "raise", "take", "give", "receive",
            )
        ),
        *(Site(word, _DEED | {"target", "power"}, "actions.SPELLS") for word in ("bolt", "transfix", "entangle")),
        Site("order", _DEED | {"order"}, "actions.ORDERS"),
        *(Site(word, frozenset({"key", "order"}), "orders.volleys") for word in ("volley", "aimvolley", "done")),
    ],
}  # fmt: skip


@pytest.fixture(params=[(game, lang) for game in ids() for lang in LANGUAGES], ids=lambda p: f"{p[0]}-{p[1]}")
def spoken(request: pytest.FixtureRequest) -> tuple[str, str]:
    found: tuple[str, str] = request.param
    return found


@cache
def game_needs(game: str) -> Needs:
    needs = Needs(SOURCE / "games" / game)
    needs.words += COMPOSED.get(game, [])
    if load(game).surrender:
        needs.words.append(Site(GIVE_UP.word, frozenset({"key"}), "engine/core/play.py"))
    files = (SOURCE / "games" / game).rglob("*.py")
    if any("may_take_back" in path.read_text(encoding="utf-8") for path in files):
        needs.words.append(Site(TAKE_BACK.word, frozenset({"key"}), "engine/core/decisions.py"))
    return needs


def game_events(game: str) -> dict[str, type[Event]]:
    import importlib

    found = events_of(importlib.import_module(f"oriflamme.games.{game}.events"))
    home = SOURCE / "games" / game
    if (home / "campaign" / "events.py").exists() and not (home / "text" / "campaign_en.toml").exists():
        found |= events_of(importlib.import_module(f"oriflamme.games.{game}.campaign.events"))
    return found


def covered(site: Site, entries: dict[str, Sentence]) -> bool:
    if site.key.endswith("*"):
        return any(key.startswith(site.key[:-1]) for key in entries)
    return site.key in entries


# -- completeness ------------------------------------------------------------------------------------------------------


def test_the_source_is_understood() -> None:
    """The reader of the source finds what is known to be there: without this, the tests below could pass on nothing."""
    needs = game_needs("aof")

    assert Site("choose_unit", frozenset({"round", "side"}), "") in [s._replace(where="") for s in needs.asks]
    assert {"place_unit", "move_unit", "spend_tokens", "order_of_attacks", "who_falls"} <= {s.key for s in needs.asks}
    assert {"unit", "spell", "hold_fire", "group"} <= {s.key for s in needs.words}
    assert {"too_far", "coherency_*", "out_of_charge_reach", "no_way_to_charge"} <= {s.key for s in needs.whys}
    assert {"not_offered", "wrong_number", "answer_is_late", "not_yours"} <= {s.key for s in ENGINE.whys}

    # Where a question is handed from function to function.
    needs = game_needs("sbh")
    tricks = {s.facts - {"side"} for s in needs.asks if s.key == "play_dirty_trick"}
    assert {frozenset({"fighter", "manner"}), frozenset({"fighter", "manner", "target"})} <= tricks
    assert {"lay_ambush", "regain_initiative", "reroll_die"} <= {s.key for s in needs.asks}
    assert {"choose_dice", "regain_initiative", "choose_edge"} <= {s.key for s in needs.answers}


@pytest.mark.parametrize("kind", ["event", "ask", "option", "why"])
def test_everything_has_its_sentence(spoken: tuple[str, str], kind: str) -> None:
    game, lang = spoken
    entries = sentences(game, lang).of[kind]
    needs = game_needs(game)

    if kind == "event":
        missing = set(game_events(game)) - set(entries)
    else:
        sites = {"ask": needs.asks, "option": needs.words, "why": [*needs.whys, *ENGINE.whys]}[kind]
        missing = {f"{site.key} ({site.where})" for site in sites if not covered(site, entries)}

    assert not missing


@pytest.mark.parametrize("kind", ["event", "ask", "option", "why"])
def test_no_sentence_is_left_over(spoken: tuple[str, str], kind: str) -> None:
    game, lang = spoken
    entries = sentences(game, lang).of[kind]
    needs = game_needs(game)
    used = {
        "event": set(game_events(game)),
        "ask": {s.key for s in needs.asks},
        "option": {s.key for s in [*needs.words, *needs.answers]},
        "why": {s.key for s in [*needs.whys, *ENGINE.whys]},
    }[kind]
    begun = tuple(key[:-1] for key in used if key.endswith("*"))

    left = {key for key in entries if key not in used and not (begun and key.startswith(begun))}

    assert not left


def test_a_sentence_speaks_only_of_facts_there_are(spoken: tuple[str, str]) -> None:
    game, lang = spoken
    text = sentences(game, lang)
    needs = game_needs(game)
    wrong: list[str] = []

    for name, cls in game_events(game).items():
        wrong += [f"{name}: {field}" for field in text.of["event"][name].fields() - set(cls.__struct_fields__)]
    options, whys = [*needs.words, *needs.answers], [*needs.whys, *ENGINE.whys]
    for kind, sites in (("ask", needs.asks), ("option", options), ("why", whys)):
        for key, entry in text.of[kind].items():
            here = [s for s in sites if s.key == key or (s.key.endswith("*") and key.startswith(s.key[:-1]))]
            known = frozenset().union(*(s.facts for s in here))
            wrong += [f"{key}: {field}" for field in entry.fields() - known]
            # Which of several options of a function answers which of its questions is not written anywhere.
            for site in [s for s in here if s not in needs.answers]:
                always = set().union(*(unguarded(t) for t in entry.variants.values()))
                wrong += [f"{key}: {field} is not given at {site.where}" for field in always - site.facts]

    assert not sorted(wrong)


def test_both_languages_say_the_same_things(spoken: tuple[str, str]) -> None:
    game, lang = spoken
    english, other = sentences(game, "en"), sentences(game, lang)

    for kind in english.of:
        for key, entry in english.of[kind].items():
            assert set(entry.variants) == set(other.of[kind][key].variants), key
            for variant, template in entry.variants.items():
                assert unguarded(template) == unguarded(other.of[kind][key].variants[variant]), f"{key}.{variant}"
    assert {field: set(words) for field, words in english.words.items()} == {
        field: set(words) for field, words in other.words.items()
    }


# What a fact may be, by how a sentence tells it; where it is told in several ways, the first of them that is here.
MADE_UP: dict[str, Any] = {
    **dict.fromkeys(("needed", "changes", "sum"), (Reason("Quality", 4, ""), Reason("Cover", -1, ""))),
    "dice": [3, 5],
    "score": [1, 2],
    **dict.fromkeys(("first", "last", "terms"), ("something", "more")),
    "spot": [30.0, 40.0],
    **dict.fromkeys(("length", "tape"), 3.5),
    **dict.fromkeys(("number", "turn", "forms"), 2),
    "side": 1,
    **dict.fromkeys(("parts", "bare", ""), "something"),
}


def ways_told(template: Template) -> Iterator[tuple[str, str]]:
    """The facts of a sentence, each with every way in which it is told; who is only asked for is not told."""
    for node in template:
        match node:
            case Fact(field, spec):
                yield field, spec
            case Forms(field, forms):
                yield field, "forms"
                for form in forms:
                    yield from ways_told(form)
            case Choice(field, yes, no):
                yield field, "asked for"
                yield from ways_told(yes)
                yield from ways_told(no)


def made_up(template: Template) -> dict[str, Any]:
    """Facts for all that a sentence speaks of."""
    ways: dict[str, set[str]] = {}
    for field, way in ways_told(template):
        ways.setdefault(field, set()).add(way)
    return {field: next((MADE_UP[way] for way in MADE_UP if way in told), "yes") for field, told in ways.items()}


@pytest.mark.parametrize("kind", ["event", "ask", "option", "why", "aid"])
def test_every_sentence_is_told(spoken: tuple[str, str], kind: str) -> None:
    """Each event, question, answer and refusal there is, in every variant, with what may be left out and without."""
    id, lang = spoken
    game = load(id)
    voice = Voice(game, Names(game, game.begin(game.setup(0), SeededDice(0))), lang)
    wrong: list[str] = []

    for key, entry in voice.text.of[kind].items():
        for variant, template in entry.variants.items():
            every = made_up(template)
            asked_for = {field for field, way in ways_told(template) if way == "asked for"}
            # What a sentence cannot do without is heard in it.
            needed = "something" if "something" in [every[field] for field in unguarded(template)] else ""
            for facts in (every, {field: value for field, value in every.items() if field not in asked_for}):
                line = "".join(span.text for span in voice._fill(template, facts, None))
                well = line and line == line.strip() and not re.search(r"[{}#]|None|  ", line)
                wrong += [] if well and needed in line else [f"{key}.{variant}: {line!r}"]

    assert len(voice.text.of[kind]) > 5
    assert not wrong


@pytest.mark.parametrize("game", ids())
def test_every_special_rule_has_its_french_name(game: str) -> None:
    terms = sentences(game, "fr").terms

    assert not load(game).keywords() - set(terms)


@pytest.mark.parametrize(
    ("game", "known"),
    [
        ("aof", {"Quality", "Defense", "Cover", "Fatigued"}),
        ("sbh", {"Quality", "Combat", "Power", "Outnumbered", "Place of Power", "Belt of Strength", "No room"}),
    ],
)
def test_every_source_of_a_modifier_has_its_french_name(game: str, known: set[str]) -> None:
    sources: set[str] = set()
    for path in game_needs(game).files:
        source = path.read_text(encoding="utf-8")
        for pattern in (
            r'Needed\([^,()]+, "(\w+)"',
            r'change_by\((?:[^,"()]|\([^()]*\))+, "([\w ]+)"',
            r'tired = "(\w+)"',
            r'Reason\("([\w ]+)"',
            r'Roll\((?:[^,"()]|\([^()]*\))+, [\w.]+, "(\w+)"',
            r'(?:append|strengthening\.add)\(\(?\w+, "([\w ]+)"',
            r'ResultChanged\("[\w-]+", [\w.]+, "([\w ]+)"',
        ):
            sources |= set(re.findall(pattern, source))

    assert known <= sources
    assert not sources - set(sentences(game, "fr").terms)


# -- in a battle -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_battle_is_told(spoken: tuple[str, str], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    id, lang = spoken
    game = load(id)
    play = Play(game, game.setup(seed), seed)
    voice = Voice(game, names_of(game, play), lang)
    bots = [game.bots()["random"](seed=seed + side) for side in range(game.sides)]

    def nobody_found_words(self: Voice, key: str, facts: Any) -> Any:
        raise AssertionError(f"no sentence for {key} with {facts}")

    monkeypatch.setattr(Voice, "_unworded", nobody_found_words)
    told = []
    while play.pending:
        decision = play.pending[0]
        voice.names.learn(play.view(decision.side).battle)
        told.append(voice.ask(decision))
        offered = (*getattr(decision, "options", ()), *getattr(decision, "extra_options", ()))
        told += [voice.option(decision, option) for option in offered]
        play.answer(decision.side, bots[decision.side].decide(None, decision))
    voice.names.learn(play.battle)
    told += [voice.event(event) for event in play.events]

    assert all(line.text and line.text == line.text.strip() for line in told)
    assert not [line.text for line in told if "{" in line.text or "#" in line.text or "None" in line.text]
    # No id is left where a name belongs.
    ids_left = [re.compile(rf"\b{re.escape(id)}\b") for id in voice.names.of if "_" in id or "." in id]
    assert not [line.text for line in told if any(left.search(line.text) for left in ids_left)]


# -- the machinery -----------------------------------------------------------------------------------------------------


class Levy:
    """A unit of the tests: what text needs of one, and no game."""

    def __init__(self, id: str, name: str, figures: int, side: int = 0) -> None:
        self.id, self.side = id, side
        self.name = {"en": name, "fr": name}
        self.figures = [type("F", (), {"id": f"{id}.{n}"}) for n in range(1, figures + 1)]
        self.fallen: list[Any] = []


@pytest.fixture
def names() -> Names:
    units = [
        Levy("levy", "Levy", 3),
        Levy("lances", "Lances", 2),
        Levy("lances_2", "Lances", 2, 1),
        Levy("king", "King", 1),
    ]
    return Names(load("aof"), _Battle(units))


class _Battle:
    def __init__(self, units: list[Levy]) -> None:
        self.units = {u.id: u for u in units}


def say(names: Names, lang: str, template: str, **facts: Any) -> str:
    game = load("aof")
    voice = Voice.__new__(Voice)
    voice.text = sentences(game.id, lang)
    voice.lang, voice.names, voice.measure = lang, names, "in"
    return "".join(span.text for span in voice._fill(parse(template), facts, None))


@pytest.fixture(autouse=True)
def _no_other_names(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "names" in request.fixturenames:
        monkeypatch.setattr(type(load("aof")), "names", lambda self, battle: {})


def test_units_alike_are_numbered_and_figures_counted(names: Names) -> None:
    assert [names.get(id, "en") for id in ("levy", "lances", "lances_2", "king")] == [
        "Levy",
        "Lances I",
        "Lances II",
        "King",
    ]
    assert [names.get(id, "en") for id in ("levy.3", "lances_2.1", "king.1")] == ["Levy 3", "Lances II 1", "King"]
    assert names.spell_out("lances_2.1: sling, levy+", "en") == "Lances II 1: sling, Levy+"


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [(0, "no hit", "0 touche"), (1, "1 hit", "1 touche"), (2, "2 hits", "2 touches"), (21, "21 hits", "21 touches")],
)
def test_plurals_follow_the_language(names: Names, number: int, english: str, french: str) -> None:
    assert say(names, "en", "{hits|no hit|# hit|# hits}", hits=number) == english
    assert say(names, "fr", "{hits|# touche|# touches}", hits=number) == french


def test_lengths_are_written_as_the_language_does(names: Names) -> None:
    assert say(names, "en", "{gap}, {reach}", gap=9.4, reach=12.0) == '9.4", 12"'
    assert say(names, "fr", "{gap}", gap=9.4) == '9,4"'


def test_reasons_tell_the_number_and_what_changed_it(names: Names) -> None:
    why = (
        Reason("Quality", 4, "AOF-HIT-04"),
        Reason("Thrust", 1, "AOF-SR-THRUST"),
        Reason("Fatigued", 0, "AOF-HIT-05"),
    )

    assert say(names, "en", "hits on 3+ ({why:needed})", why=why) == "hits on 3+ (Quality 4+, Thrust +1, Fatigued)"
    assert say(names, "fr", "{why:needed}", why=why) == "Qualité 4+, Percée +1, Fatiguée"
    impact = (Reason("Impact", 2, ""), Reason("Impact", 2, ""), Reason("Counter", -1, ""))
    assert say(names, "en", "{why:changes}", why=impact) == "Impact +4, Counter -1"


def test_lists_and_conditions_read_well(names: Names) -> None:
    assert say(names, "en", "{targets}", targets=("levy", "king", "lances")) == "Levy, King and Lances I"
    assert say(names, "fr", "{targets}", targets=("levy", "king")) == "Levy et King"
    names.of["king"] = names.of["king"]._replace(name={"en": "King, crowned", "fr": "Roi, couronné"})
    assert say(names, "en", "{targets}", targets=("levy", "king", "lances")) == "Levy; King, crowned and Lances I"
    assert say(names, "fr", "{targets}", targets=("levy", "king", "lances")) == "Levy ; Roi, couronné et Lances I"
    assert say(names, "en", "{extra?yes {extra:bare}|no}", extra=()) == "no"
    assert say(names, "en", "{why?yes|no}", why=((), ())) == "no"


def test_several_things_are_told_one_by_one_and_sums_with_what_they_began_as(names: Names) -> None:
    why = (Reason("Combat", 0, "X-1"), Reason("Thrust", 1, "X-2"), Reason("Cover", -2, "X-3"))

    assert say(names, "en", "[{faces:first}], {why:sum} = {totals:first}", faces=(5, 2), totals=(4, 7), why=why) == (
        "[5], Combat 0, Thrust +1, Cover -2 = 4"
    )
    assert say(names, "en", "{faces:last}", faces=(5, 2)) == "2"
    assert say(names, "en", "{faces:first}", faces=()) == ""
    assert say(names, "en", "{bonus?bonus {bonus:score}|none}", bonus=(0, 0)) == "none"
    assert say(names, "en", "{bonus?bonus {bonus:score}|none}", bonus=(0, 1)) == "bonus 0–1"


def test_joined_words_are_told_part_by_part(names: Names) -> None:
    assert say(names, "en", "{key:parts}", key="levy+king") == "Levy and King"
    assert say(names, "fr", "{key:parts}", key="levy:Fear(3)") == "Levy : Effrayant (3)"


def test_steps_are_counted_in_hexes_where_the_rules_count_them_so(names: Names) -> None:
    told = "{near}, {reach:length}, {height:tape}"

    assert say(names, "en", told, near=1.0, reach=7, height=12) == '1", 7", 12"'
    names.counts_hexes = True
    assert say(names, "en", told, near=1.0, reach=7, height=12) == '1 hex, 7 hexes, 12"'
    assert say(names, "fr", told, near=0.0, reach=2, height=1) == '0 hexagone, 2 hexagones, 1"'


def test_a_place_in_millimetres_is_told_as_it_is_printed_round_the_table(names: Names) -> None:
    voice = Voice(load("aof"), names, "en")

    assert voice.spot((30.0, 24.5)) == '30" × 24.5"'
    voice.measure = "mm"
    assert voice.spot((304.0, 245.0)) == "30.4 × 24.5 cm"


def test_an_option_without_a_word_is_told_by_its_question_or_by_its_name(names: Names) -> None:
    voice = Voice(load("aof"), names, "en")
    voice.text = Sentences("en", {"option": {"strike": {"by": "key", "yes": "strike back"}}})

    def told(ask: str, key: str) -> str:
        decision = PickOne(0, [Option(key)], ask, "X-1")
        return voice.option(decision, decision.options[0]).text

    assert told("strike", "yes") == "strike back"
    assert told("who_acts", "lances_2") == "Lances II"
    assert told("who_acts", "nobody_knows") == 'nobody knows: key "nobody_knows"'


def test_what_comes_to_the_table_later_gets_its_name_then(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("aof")
    lying: dict[str, dict[str, dict[str, str]]] = {"piece": {"wood": {"en": "the wood"}}}
    monkeypatch.setattr(type(game), "names", lambda self, battle: lying)
    names = Names(game, _Battle([]))

    lying = {"piece": {"bog": {"en": "the bog"}}, "marker": {"m1": {"en": "marker (Levy)"}}}
    names.learn(_Battle([]))
    assert [names.get("wood", "en", "piece"), names.get("bog", "en", "piece")] == ["the wood", "the bog"]
    assert names.get("m1", "en", "marker") == "marker (Levy)"

    lying = {}
    names.learn(_Battle([]))
    assert [names.get("wood", "en", "piece"), names.get("bog", "en", "piece")] == ["the wood", None]


def test_a_name_keeps_its_id_and_side_for_the_screen(names: Names) -> None:
    voice = Voice(load("aof"), names, "en")

    line = voice.refusal(Refusal("AOF-ACT-01", "already_activated", {"unit": "lances_2"}))

    assert line.text == "Lances II has already activated this round"
    assert (line.spans[0].kind, line.spans[0].ref, line.spans[0].side) == ("unit", "lances_2", 1)
    assert str(line).endswith("(AOF-ACT-01)")


@pytest.mark.parametrize(("lang", "begins", "within"), [("en", "Side B", "Side B"), ("fr", "Le camp B", "le camp B")])
def test_a_side_has_the_article_and_the_capital_its_sentence_asks_for(
    names: Names, lang: str, begins: str, within: str
) -> None:
    voice = Voice(load("aof"), names, lang)

    assert voice.event(ArmyDestroyed("", side=1)).text.startswith(f"{begins} ")
    assert f": {within} " in voice.event(RoundBegan("", round=2, first=1)).text


@pytest.mark.parametrize("garbage", [None, 3, [1, [2]], {"a": object()}, "x" * 500, "[bold]", {1: 2}, float("nan")])
def test_garbage_is_refused_in_words(names: Names, garbage: Any) -> None:
    decision = PickOne(0, [Option("hold", "action"), Option("rush", "action")], "choose_action", "AOF-ACT-01")

    line = Voice(load("aof"), names, "en").refusal(decision.why_not(garbage))

    assert line.text.endswith("is not among the choices")
    assert len(line.text) < 120


def test_a_fact_without_words_is_told_bare(names: Names) -> None:
    line = Voice(load("aof"), names, "fr").refusal(
        Refusal("AOF-X-01", "never_seen_before", {"unit": "levy", "gap": 1.5})
    )

    assert line.text == 'never seen before: unit "Levy", gap 1.5'


@pytest.mark.parametrize(
    "text", ["{", "}", "{unit", "{unit:loud}", "{hits|one}", "{hits|a|b|c|d}", "{Unit}", "{a?b|c|d}", "{a!}"]
)
def test_a_template_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadTemplate):
        parse(text)
