"""Which rules the events and refusals of a game may cite, and which questions it asks: read from its own source.

A rule id is found where it is written, where a name stands for it (a constant, a variable, a parameter that callers
fill, a field of an object the game makes), and where one of several is picked. More may be found than can happen, never
less: what cannot be followed is told as `None` among the rules.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import Any, Final, NamedTuple

from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.homes import home_of

# What asks a question (`engine.core.questions`, `engine.core.decisions`): the kind of decision, where the question
# stands among the arguments, and where the rule that asks it.
QUESTIONS: Final[Mapping[str, tuple[str, int, int]]] = {
    "PickOne": ("PickOne", 2, 3),
    "pick_one": ("PickOne", 2, 3),
    "yes_or_no": ("PickOne", 1, 2),
    "PutInOrder": ("PutInOrder", 2, 3),
    "put_in_order": ("PutInOrder", 2, 3),
    "PickSeveral": ("PickSeveral", 4, 5),
    "pick_several": ("PickSeveral", 4, 5),
    "Allocate": ("Allocate", 4, 5),
    "allocate": ("Allocate", 4, 5),
    "Place": ("Place", 4, 5),
    "place_figures": ("Place", 4, 5),
    "Move": ("Move", 4, 5),
    "move_figures": ("Move", 4, 5),
    "Manoeuvre": ("Manoeuvre", 4, 5),
    "move_blocks": ("Manoeuvre", 4, 5),
}
Function = ast.FunctionDef | ast.Lambda
Rules = set[str | None]


class Site(NamedTuple):
    """A call, the module it stands in, and the functions around it, the innermost first."""

    module: str
    functions: tuple[Function, ...]
    call: ast.Call


class Source:
    """The source of a game."""

    def __init__(self, game: str) -> None:
        self.rules = tuple(load_catalogue(game).rules)
        self.sites: list[Site] = []
        self.classes: dict[str, ast.ClassDef] = {}
        self.methods: dict[str, list[tuple[str, ast.FunctionDef]]] = {}
        home = home_of(game)
        assert home is not None, f"nobody has said where the source of {game} is"
        for path in sorted(home.folder.rglob("*.py")):
            parts = path.relative_to(home.folder).with_suffix("").parts
            module = ".".join((home.package, *(parts[:-1] if parts[-1] == "__init__" else parts)))
            self._take(module, ast.parse(path.read_text(encoding="utf-8")), ())
        self.calls: dict[str, list[Site]] = {}
        self._known: dict[tuple[Any, ...], Rules] = {}
        for site in self.sites:
            self.calls.setdefault(_called(site.call), []).append(site)

    def _take(self, module: str, node: ast.AST, around: tuple[Function, ...]) -> None:
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.Call):
                self.sites.append(Site(module, around, inner))
            if isinstance(inner, ast.ClassDef):
                self.classes[inner.name] = inner
            if isinstance(inner, ast.FunctionDef):
                self.methods.setdefault(inner.name, []).append((module, inner))
            own = isinstance(inner, ast.FunctionDef | ast.Lambda)
            self._take(module, inner, (inner, *around) if own else around)  # type: ignore[arg-type]

    # -- what is cited -------------------------------------------------------------------------------------------------

    def events(self, names: Iterator[str] | tuple[str, ...]) -> dict[str, Rules]:
        """The rules that each of these events may cite."""
        return {name: self._cited(name, 0, "rule") for name in names}

    def refusals(self) -> dict[str, Rules]:
        """The reasons for refusals, each with the rules that may be cited with it."""
        found: dict[str, Rules] = {}
        for site in self.calls.get("Refusal", []):
            for rules, whys in self._pairs(_argument(site.call, 0, "rule"), _argument(site.call, 1, "why"), site):
                for why in (self._passed_on(site) or whys) - {None}:
                    found.setdefault(str(why), set()).update(rules)
        return found

    def _passed_on(self, site: Site) -> Rules:
        """The reasons of another refusal that one passes on under a rule of its own: `Refusal(rule, unseen.why)`."""
        given = _argument(site.call, 1, "why")
        if not isinstance(given, ast.Attribute) or given.attr != "why" or not isinstance(given.value, ast.Name):
            return set()
        makers = [_called(c) for f in site.functions for c in _assigned(given.value.id, f) if isinstance(c, ast.Call)]
        return {why for maker in makers for why in self._reasons_of(maker, 0)}

    def _reasons_of(self, maker: str, depth: int) -> Rules:
        """The reasons that a function gives, and those it has from others."""
        found: Rules = set()
        for _, function in self.methods.get(maker, []):
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                name = _called(call)
                if name == "Refusal":
                    found |= self._texts(_argument(call, 1, "why"), Site(_NOWHERE, (function,), call), 0)
                elif depth < 3 and name.startswith("why_not"):
                    found |= self._reasons_of(name, depth + 1)
        return found

    def questions(self) -> dict[str, tuple[set[str], Rules]]:
        """The questions that are asked: the kinds of decision each is, and the rules that may ask it."""
        found: dict[str, tuple[set[str], Rules]] = {}
        for asking, (kind, ask, rule) in QUESTIONS.items():
            for site in self.calls.get(asking, []):
                for rules, asks in self._pairs(
                    _argument(site.call, rule, "rule"), _argument(site.call, ask, "ask"), site
                ):
                    for name in asks - {None}:
                        kinds, by = found.setdefault(str(name), (set(), set()))
                        kinds.add(kind)
                        by.update(rules)
        return found

    def _pairs(self, rule: ast.expr | None, text: ast.expr | None, site: Site) -> Iterator[tuple[Rules, Rules]]:
        """Rules and the texts that go with them: caller by caller, where both are handed over by the caller."""
        function = site.functions[0] if site.functions else None
        if isinstance(function, ast.FunctionDef) and isinstance(rule, ast.Name) and isinstance(text, ast.Name):
            places = [_parameter(function, node.id) for node in (rule, text)]
            if all(place is not None for place in places):
                for caller in self.calls.get(function.name, []):
                    given = [
                        _argument(caller.call, place or 0, node.id)
                        for place, node in zip(places, (rule, text), strict=True)
                    ]
                    yield from self._pairs(given[0], given[1], caller)
                return
        yield self._rules(rule, site, 0), self._texts(text, site, 0)

    def _cited(self, name: str, position: int, keyword: str) -> Rules:
        found: Rules = set()
        for site in self.calls.get(name, []):
            found |= self._rules(_argument(site.call, position, keyword), site, 0)
        return found

    def _rules(self, node: ast.expr | None, site: Site, depth: int) -> Rules:
        found: Rules = set()
        for text in self._texts(node, site, depth):
            if text is None:
                found.add(None)
            elif "*" in text:
                found |= {rule for rule in self.rules if fnmatchcase(rule, text)}
            elif text in self.rules:
                found.add(text)
        return found

    # -- what a text can be --------------------------------------------------------------------------------------------

    def _texts(self, node: ast.expr | None, site: Site, depth: int) -> Rules:
        """What a text can be; None stands for something that cannot be followed."""
        if node is None or depth > 6:
            return {None}
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.JoinedStr(values=parts):
                return {"".join(str(p.value) if isinstance(p, ast.Constant) else "*" for p in parts)}
            case ast.IfExp(body=body, orelse=other):
                return self._texts(body, site, depth) | self._texts(other, site, depth)
            case ast.BoolOp(values=parts):
                return {text for part in parts for text in self._texts(part, site, depth)}
            case ast.Name(id=name):
                return self._named(name, site, depth + 1)
            case ast.Subscript(value=table):
                return self._values(table, site)
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, *rest]):
                return {t for part in rest for t in self._texts(part, site, depth)} | self._values(table, site)
            case ast.Call() as call:
                return self._once(
                    ("call", _called(call), depth), lambda: self._returned(_called(call), site, depth + 1)
                )
            case ast.Attribute(attr=name):
                return self._once(("field", name, depth), lambda: self._fields(name, depth + 1))
        return {None}

    def _once(self, key: tuple[Any, ...], find: Callable[[], Rules]) -> Rules:
        if key not in self._known:
            self._known[key] = {None}
            self._known[key] = find()
        return self._known[key]

    def _named(self, name: str, site: Site, depth: int) -> Rules:
        """What a name stands for: what it was given, what callers hand over, or a constant of the module."""
        for number, function in enumerate(site.functions):
            here = site._replace(functions=site.functions[number:])
            given = list(_assigned(name, function))
            if given:
                return {text for value in given for text in self._texts(value, here, depth)}
            arguments = function.args
            parameters = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            if name in parameters and isinstance(function, ast.FunctionDef):
                key = ("parameter", id(function), name, depth)
                return self._once(key, partial(self._handed, name, function, here, depth))
        value = getattr(importlib.import_module(site.module), name, None)
        return {value} if isinstance(value, str) else {None}

    def _handed(self, name: str, function: ast.FunctionDef, site: Site, depth: int) -> Rules:
        """What the callers of a function hand over under a name, and what it is if they hand over nothing."""
        positional = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        place = _parameter(function, name) or 0
        found: Rules = set()
        defaults = dict(zip(reversed(positional), reversed(function.args.defaults), strict=False))
        defaults |= {a.arg: d for a, d in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if d}
        if name in defaults:
            found |= self._texts(defaults[name], site, depth)
        called = function.name
        if called == "__init__":
            called = next((c.name for c in self.classes.values() if function in c.body), called)
        for caller in self.calls.get(called, []):
            given = _argument(caller.call, place, name)
            if given is not None:
                found |= self._texts(given, caller, depth)
        # Steps are put on the turn track with their arguments.
        for caller in (*self.calls.get("then", []), *self.calls.get("due", [])):
            handed = caller.call.args
            if handed and isinstance(handed[0], ast.Name) and handed[0].id == called and place < len(handed):
                found |= self._texts(handed[place], caller, depth)
        # Sentences of cases call them by their names.
        for caller in self.sites:
            for part in caller.call.args:
                if (
                    isinstance(part, ast.Tuple)
                    and part.elts
                    and _is_text(part.elts[0], called)
                    and place < len(part.elts)
                ):
                    found |= self._texts(part.elts[place], caller, depth)
        return found or {None}

    def _returned(self, name: str, site: Site, depth: int) -> Rules:
        """What a function of the game gives back."""
        found: Rules = set()
        for module, function in self.methods.get(name, []):
            for inner in ast.walk(function):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    found |= self._texts(inner.value, Site(module, (function,), site.call), depth)
        return found or {None}

    def _fields(self, name: str, depth: int) -> Rules:
        """What a field of that name can be, of whatever object: where objects are made, and by their classes."""
        if name == "rule":
            return {None}  # of whatever object it is: too many have one
        found: Rules = set()
        for site in self.sites:
            for keyword in site.call.keywords:
                if keyword.arg == name:
                    found |= self._texts(keyword.value, site, depth)
        for cls in self.classes.values():
            fields = [f.target.id for f in cls.body if isinstance(f, ast.AnnAssign) and isinstance(f.target, ast.Name)]
            for part in cls.body:
                target = part.target if isinstance(part, ast.AnnAssign) else getattr(part, "targets", [None])[0]
                if isinstance(target, ast.Name) and target.id == name and getattr(part, "value", None) is not None:
                    found |= self._texts(part.value, Site(_NOWHERE, (), _NO_CALL), depth)  # type: ignore[attr-defined]
            if name in fields:
                for site in self.calls.get(cls.name, []):
                    given = _argument(site.call, fields.index(name), name)
                    if given is not None:
                        found |= self._texts(given, site, depth)
        if name in self.methods:
            found |= self._returned(name, Site(_NOWHERE, (), _NO_CALL), depth)
        return found or {None}

    def _values(self, table: ast.expr, site: Site) -> Rules:
        """The texts in a table or list that is a constant of the module, or written in place."""
        value: Any = None
        if isinstance(table, ast.Name):
            for function in site.functions:
                for given in _assigned(table.id, function):
                    return self._values(given, site)
            value = getattr(importlib.import_module(site.module), table.id, None)
        elif isinstance(table, ast.Dict | ast.Tuple | ast.List):
            inner = table.values if isinstance(table, ast.Dict) else table.elts
            return {text for part in inner if part for text in self._texts(part, site, 5)}
        held = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()
        return {text for text in held if isinstance(text, str)} or {None}


_NOWHERE: Final = "oriflamme"
_NO_CALL: Final = ast.Call(ast.Name(""), [], [])


@cache
def source_of(game: str) -> Source:
    return Source(game)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[position] if position < len(call.args) else None


def _assigned(name: str, function: Function) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                either = node.value
                for value in (either.body, either.orelse) if isinstance(either, ast.IfExp) else (either,):
                    yield from _picked(name, target, ast.Tuple([value]))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and isinstance(node.target, ast.Name):
            if node.target.id == name and node.value is not None:
                yield node.value
        elif isinstance(node, ast.For | ast.comprehension):
            yield from _picked(name, node.target, node.iter)


def _picked(name: str, target: ast.expr, every: ast.expr) -> Iterator[ast.expr]:
    """What a name is in turn, if it walks over things that are written there."""
    if isinstance(every, ast.Tuple | ast.List):
        for item in every.elts:
            pairs = [(target, item)]
            if isinstance(target, ast.Tuple) and isinstance(item, ast.Tuple):
                pairs = list(zip(target.elts, item.elts, strict=False))
            yield from (value for to, value in pairs if isinstance(to, ast.Name) and to.id == name)


def _parameter(function: ast.FunctionDef, name: str) -> int | None:
    """The place of a parameter among the arguments of a call; beyond all of them if it is given by name only."""
    named = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    if named[:1] in (["self"], ["cls"]):
        named = named[1:]
    if name in named:
        return named.index(name)
    return 99 if name in [a.arg for a in function.args.kwonlyargs] else None


def _is_text(node: ast.expr, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text
