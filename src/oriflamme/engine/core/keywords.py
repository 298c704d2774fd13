"""Special rules: declared once, hooked into the named moments of a game's flow.

A game derives its own `Keyword` from this one and writes its moments there as methods that do nothing. A special rule
derives from that class, overrides the moments it changes and is declared with `KeywordBook.keyword`; the book is
complete when the game has named the modules that hold them, and from then on nothing is added. The flow announces a
moment with `at(...)`, or with `ask_at(...)` where a special rule may ask its player something, and names nobody. That a
moment is announced with its own arguments, and overridden with them, is checked by the type checker.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, ClassVar, Concatenate, Final, Generic, ParamSpec, TypeVar

from oriflamme.engine.core.chapters import Chapters
from oriflamme.engine.core.steps import Asking
from oriflamme.engine.words.notices import Notice, notice

K = TypeVar("K", bound="Keyword")
S = TypeVar("S")
P = ParamSpec("P")

MOST_SETS: Final = 50_000  # sets of special rules that a game remembers

# When somebody watches (the exam does), every special rule that spoke is noted here by its title.
witness: set[str] | None = None


class Keyword:
    """A special rule as carried by a figure, a weapon or a unit.

    `x` is the number it is printed with, if any, and `word` the word: "Blast(3)", "Shooter(long)". Of several with
    numbers the best counts, which is the least where `low` is good; one that is printed without its number has the
    `usual` one, if there is such a thing; where a game lets numbers be written with a plus,
    "Cleave(+1)" adds to it (`additive`), and a rule that is `cumulative` always adds up.

    A rule that is printed with more than that, "Explosion(D6, 1.5)", has `{text}` there and reads it itself
    (`read_text`); as it reads it, it is its `word`.
    """

    rule: ClassVar[str] = ""
    printed: ClassVar[str] = ""
    title: ClassVar[str] = ""
    takes_x: ClassVar[bool] = False
    takes_text: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]] = ()
    usual: ClassVar[int | None] = None
    low: ClassVar[bool] = False
    additive: ClassVar[bool] = False
    cumulative: ClassVar[bool] = False

    __slots__ = ("adds", "word", "x")

    def __init__(self, x: int = 0, word: str = "", *, adds: bool = False) -> None:
        self.x = x
        self.word = word
        self.adds = adds

    @classmethod
    def read_text(cls, text: str) -> str | None:
        """What stands in its brackets, as it is kept and printed; None if it cannot stand there."""
        return text

    def suppresses(self, other: Keyword, subject: Any) -> bool:
        """Whether this rule silences another one while `subject` is settled."""
        return False

    def __str__(self) -> str:
        number = f"+{self.x}" if self.adds else str(self.x)
        return self.printed.replace("{x}", number).replace("{word}", self.word).replace("{text}", self.word)

    def identity(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Keyword):
            return False
        return self.x == other.x and self.word == other.word and self.adds == other.adds

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.x, self.word, self.adds))


class KeywordSet(Generic[K]):
    """The special rules of one thing, sorted by the moments they change. Never altered, shared freely."""

    __slots__ = ("by_moment", "keywords", "silencers")

    def __init__(self, keywords: Iterable[K], moments: Iterable[str]) -> None:
        self.keywords: tuple[K, ...] = put_together(keywords)
        self.by_moment: dict[str, tuple[K, ...]] = {}
        for moment in moments:
            found = tuple(k for k in self.keywords if _changes(k, moment))
            if found:
                self.by_moment[moment] = found
        self.silencers: tuple[K, ...] = tuple(k for k in self.keywords if _changes(k, "suppresses"))

    def __iter__(self) -> Iterator[K]:
        return iter(self.keywords)

    def __len__(self) -> int:
        return len(self.keywords)

    def __bool__(self) -> bool:
        return bool(self.keywords)

    def changing(self, moment: Callable[Concatenate[K, P], Any]) -> tuple[K, ...]:
        """Those of them that change a moment, in the order they are printed."""
        return self.by_moment.get(moment.__name__, ())

    def has(self, kind: type[Keyword]) -> bool:
        return any(type(k) is kind for k in self.keywords)

    def get(self, kind: type[Keyword]) -> K | None:
        for keyword in self.keywords:
            if type(keyword) is kind:
                return keyword
        return None

    def identity(self) -> list[str]:
        return [str(keyword) for keyword in self.keywords]

    def __repr__(self) -> str:
        return f"<{', '.join(map(str, self.keywords))}>"


def put_together(keywords: Iterable[K]) -> tuple[K, ...]:
    """Each special rule once: the best of its numbers, and on top of it those that add."""
    best: dict[tuple[type, str], K] = {}
    added: dict[tuple[type, str], int] = {}
    for keyword in keywords:
        key = (type(keyword), keyword.word)
        held = best.get(key)
        if keyword.adds or (keyword.cumulative and held is not None):
            added[key] = added.get(key, 0) + keyword.x
            best.setdefault(key, type(keyword)(0, keyword.word))
        elif held is None or (keyword.x < held.x if keyword.low else keyword.x > held.x):
            best[key] = keyword
    return tuple(type(k)(k.x + added[key], k.word) if key in added else k for key, k in best.items())


def _changes(keyword: Keyword, moment: str) -> bool:
    """Whether a class below the game's own Keyword defines this moment."""
    for cls in type(keyword).__mro__:
        if cls.__dict__.get("_names_moments"):
            return False
        if moment in cls.__dict__:
            return True
    return False


def at(
    moment: Callable[Concatenate[K, S, P], None],
    sets: tuple[KeywordSet[K], ...],
    subject: S,
    *details: P.args,
    **named: P.kwargs,
) -> None:
    """Tell every special rule in these sets that a moment has come, unless one of them silences it. Rules speak in the
    order of the sets, and within a set in the order they are printed."""
    name = moment.__name__
    for held in sets:
        found = held.by_moment.get(name)
        if found is None:
            continue
        for keyword in found:
            if not silenced(keyword, sets, subject):
                if witness is not None:
                    witness.add(keyword.title)
                getattr(keyword, name)(subject, *details, **named)


def at_against(
    moment: Callable[Concatenate[K, S, P], None],
    sets: tuple[KeywordSet[K], ...],
    against: tuple[KeywordSet[K], ...],
    subject: S,
    *details: P.args,
    **named: P.kwargs,
) -> None:
    """The same, where special rules that these are up against may silence them too."""
    name = moment.__name__
    for held in sets:
        found = held.by_moment.get(name)
        if found is None:
            continue
        for keyword in found:
            if not (silenced(keyword, sets, subject) or silenced(keyword, against, subject)):
                if witness is not None:
                    witness.add(keyword.title)
                getattr(keyword, name)(subject, *details, **named)


def ask_at(
    moment: Callable[Concatenate[K, S, P], Asking[None]],
    sets: tuple[KeywordSet[K], ...],
    subject: S,
    *details: P.args,
    **named: P.kwargs,
) -> Asking[None]:
    """Tell every special rule in these sets that a moment has come at which it may ask players something."""
    for held in sets:
        for keyword in held.changing(moment):
            if not silenced(keyword, sets, subject):
                if witness is not None:
                    witness.add(keyword.title)
                yield from getattr(keyword, moment.__name__)(subject, *details, **named)


def silenced(keyword: Keyword, sets: Iterable[KeywordSet[Any]], subject: Any) -> bool:
    """Whether some special rule at work here suppresses this one."""
    for held in sets:
        for silencer in held.silencers:
            if silencer is not keyword and silencer.suppresses(keyword, subject):
                return True
    return False


class UnknownKeyword(Exception):
    """A special rule nobody declared: what is wrong with it, and what to write instead."""

    def __init__(self, text: str, what: Notice, hint: Notice | None = None) -> None:
        super().__init__(f"{what}; {hint}" if hint is not None else str(what))
        self.text = text
        self.notice = what
        self.hint = hint

    @property
    def problem(self) -> str:
        """What is wrong and what to write instead, in English."""
        return str(self)


def _meant(title: str) -> Notice:
    return notice("did_you_mean", guess=title)


_PRINTED = re.compile(r"^\s*([^()+\d]+?)\s*(?:\(\s*(?:(\+?)\s*(\d+)[\"\u2033\u201d]?|([^()\d]+?))\s*\))?\s*$")
_BRACKETS = re.compile(r"^\s*([^()]+?)\s*\(\s*(.+?)\s*\)\s*$")


def _key(name: str) -> str:
    """A name as it is looked up: capitals, accents, hyphens, an exclamation mark at the end and the form of an
    apostrophe make no difference."""
    plain = unicodedata.normalize(
        "NFKD", name.casefold().replace("-", " ").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    )
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).rstrip(" !")


class KeywordBook(Generic[K]):
    """All the special rules of one game, by printed name. `base` is the game's own Keyword class; `also` are other
    names by which they are found, by their titles, such as those of the book they come from; `within` are other words
    for what stands in their brackets."""

    def __init__(
        self,
        base: type[K],
        also: Mapping[str, str | tuple[str, ...]] | None = None,
        within: Mapping[str, str] | None = None,
    ) -> None:
        base._names_moments = True  # type: ignore[attr-defined]
        self.base = base
        self.also = {title: (names,) if isinstance(names, str) else names for title, names in (also or {}).items()}
        self._within = {_key(said): word for said, word in (within or {}).items()}
        self.moments: tuple[str, ...] = tuple(
            name for name, value in vars(base).items() if callable(value) and not name.startswith("_")
        )
        self._declared: dict[str, type[K]] = {}
        self._found: dict[str, type[K]] = {}
        self._chapters = Chapters("special rules")
        self._sets: dict[tuple[K, ...], KeywordSet[K]] = {}
        self.empty: KeywordSet[K] = KeywordSet((), self.moments)

    def keyword(self, rule: str, printed: str, words: Iterable[str] = ()) -> Callable[[type[K]], type[K]]:
        """Declare a special rule: its place in the reference and its name as printed.

        `{x}` stands where its number goes, `{word}` where one of the `words` does.
        """

        def declare(cls: type[K]) -> type[K]:
            for name, value in vars(cls).items():
                if callable(value) and not name.startswith("_") and name != "suppresses" and name not in self.moments:
                    guess = difflib.get_close_matches(name, self.moments, 1)
                    hint = f"; did you mean '{guess[0]}'?" if guess else ""
                    raise TypeError(f"{cls.__name__}: no moment '{name}'{hint}")
            self._chapters.declare(cls.__name__, cls.__module__)
            cls.rule = rule
            cls.printed = printed
            cls.title = printed.split("(")[0].strip()
            cls.takes_x = "{x}" in printed
            cls.takes_text = "{text}" in printed
            cls.words = tuple(words)
            for name in (cls.title, *self.also.get(cls.title, ())):
                known = self._found.setdefault(_key(name), cls)
                if known is not cls:
                    raise TypeError(f"{cls.__name__}: {known.__name__} is printed as '{name}' too")
            self._declared[_key(cls.title)] = cls
            return cls

        return declare

    def complete(self, *modules: ModuleType) -> None:
        """These modules hold the special rules of the game: all that they declare, and nothing else, ever.

        Without modules, what is declared by now is all: a small game has them in one module.
        """
        self._chapters.close(*modules)

    @property
    def declared(self) -> dict[str, type[K]]:
        """The special rules by the names they are looked up by."""
        if not self._chapters.complete:
            raise LookupError(f"{self.base.__module__}: the special rules are not complete yet")
        return self._declared

    def parse(self, text: str) -> K:
        """The special rule printed as `text`, such as "Blast(3)"; raises UnknownKeyword with a guess.

        "short-move" is another way to write "Short Move".
        """
        text = self._in_own_words(text)
        found = self._in_brackets(text)
        if found is not None:
            return found
        match = _PRINTED.match(text)
        name = match.group(1) if match else text
        number = match.group(3) if match else None
        word = (match.group(4) or "") if match else ""
        cls = self._found.get(_key(name)) if self.declared else None
        if cls is None:
            titles = [c.title for c in self.declared.values()]
            near = {_key(t): t for t in titles}
            guess = difflib.get_close_matches(_key(name), near, 1, 0.5)
            raise UnknownKeyword(text, notice("no_special_rule", rule=text), _meant(near[guess[0]]) if guess else None)
        if cls.takes_x and number is None and cls.usual is not None:
            return cls(cls.usual)
        if cls.takes_x and number is None:
            one = cls.printed.replace("{x}", "1")
            raise UnknownKeyword(text, notice("needs_its_number", rule=text), notice("write_quoted", text=one))
        if cls.words and word not in cls.words:
            one = cls.printed.replace("{word}", cls.words[0])
            needed = notice("needs_one_of", rule=text, words=list(cls.words))
            raise UnknownKeyword(text, needed, notice("write_quoted", text=one))
        if cls.takes_text:
            needed = notice("needs_its_number", rule=text)
            raise UnknownKeyword(text, needed, notice("write_quoted", text=cls.printed))
        if not cls.takes_x and number is not None:
            needless = notice("has_no_number", rule=text, title=cls.title)
            raise UnknownKeyword(text, needless, notice("write_quoted", text=cls.title))
        if not cls.words and word:
            raise UnknownKeyword(text, notice("no_special_rule", rule=text), _meant(cls.title))
        if number is not None:
            return cls(int(number), adds=cls.additive and match is not None and bool(match.group(2)))
        return cls(word=word) if word else cls()

    def _in_own_words(self, text: str) -> str:
        """The same, with what stands in its brackets in the words that special rules read."""
        match = _BRACKETS.match(text)
        said = [part.strip() for part in match.group(2).split(",")] if match else []
        if match is None or not any(_key(part) in self._within for part in said):
            return text
        return f"{match.group(1)}({', '.join(self._within.get(_key(part), part) for part in said)})"

    def _in_brackets(self, text: str) -> K | None:
        """A special rule that reads what stands in its brackets, or whose number is printed with a sign: "Ward(5+)"."""
        match = _BRACKETS.match(text)
        cls = self._found.get(_key(match.group(1))) if match and self.declared else None
        if match is None or cls is None:
            return None
        if cls.takes_text:
            word = cls.read_text(match.group(2))
            if word is None:
                raise UnknownKeyword(text, notice("no_special_rule", rule=text), _meant(cls.printed))
            return cls(word=word)
        before, _, after = cls.printed.partition("(")[2].rpartition(")")[0].partition("{x}")
        number = match.group(2).removeprefix(before).removesuffix(after).strip() if before or after else ""
        return cls(int(number)) if cls.takes_x and number.isdecimal() else None

    def set_of(self, keywords: Iterable[K]) -> KeywordSet[K]:
        """These special rules as a set; equal sets are the same object, for as long as it is remembered."""
        key = tuple(keywords)
        found = self._sets.get(key)
        if found is None:
            if len(self._sets) >= MOST_SETS:
                self._sets.clear()
            found = self._sets[key] = KeywordSet(key, self.moments)
        return found
