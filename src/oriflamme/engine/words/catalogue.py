"""The rule catalogue of a game: every rule by its id, as written in `docs/rules/<game>.md`.

A catalogue is a Markdown file a player can read. A rule is a bullet that begins with its id in bold; what is indented
below it (`Ruling`, `Check`, `Example`) belongs to it:

    - **XYZ-GEN-02** An unmodified 6 always succeeds and an unmodified 1 always fails, whatever the modifiers.
      - Ruling: this holds for every D6 compared with a target number.
      - Check: Defense 2+ with +1: a 1 still fails.

Another language stands beside it, in `docs/rules/<language>/<game>.toml`: a table for each id, with the same parts in
the same order, and the titles of chapters and sections. What it leaves out stays English. A game that does not ship
with the program has both in its own folder, as `rules.md` and `rules_<language>.toml`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from oriflamme.engine.words.homes import home_of, homes
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems, did_you_mean, problem_with, read_text, read_toml


class Option(msgspec.Struct, frozen=True):
    """A house rule a table may choose before the game, and the rule it changes."""

    key: str
    default: str
    alternatives: tuple[str, ...]
    rule: str
    meaning: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        """Everything the option may be set to, the default first."""
        return (self.default, *self.alternatives)


class Rule(msgspec.Struct, frozen=True):
    """One statement of the rules, with the rulings, checks and examples that belong to it."""

    id: str
    text: str
    chapter: str
    section: str = ""
    rulings: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    derived: bool = False
    """Not printed in so many words: it follows from the other rules, or is a ruling that stands alone."""

    @property
    def title(self) -> str:
        """The heading nearest above the rule."""
        return self.section or self.chapter


class Table(msgspec.Struct, frozen=True):
    """A table of the catalogue."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Chapter(msgspec.Struct, frozen=True):
    """A chapter of the catalogue: its rules by id, its tables, and what is written between them."""

    number: str
    title: str
    rules: tuple[str, ...]
    tables: tuple[Table, ...]
    text: str


class Catalogue(msgspec.Struct, frozen=True):
    """All rules of one game."""

    game: str
    title: str
    rules: dict[str, Rule]
    chapters: tuple[Chapter, ...]
    options: dict[str, Option]

    def find(self, wanted: str) -> Rule:
        """The rule with this id; capitals, leading zeros and the game's prefix may be left out."""
        by_name = {_loose(rule_id): rule for rule_id, rule in self.rules.items()}
        name, prefix = _loose(wanted), _loose(self.game) + "-"
        full = name if name.startswith(prefix) else prefix + name
        if full in by_name:
            return by_name[full]

        below = self.under(full) if name else []
        match below:
            case []:
                hint = did_you_mean(full, self.rules)
            case [only]:
                hint = notice("there_is", rule=only.id)
            case [first, *_, last]:
                hint = notice("there_are_from_to", first=first.id, last=last.id)
        raise problem_with(f"{self.game} rules", notice("no_rule", rule=wanted), hint=hint)

    def under(self, prefix: str) -> list[Rule]:
        """The rules whose id begins so, as in `XYZ-SR-BLAST`, in the order of the book."""
        start = prefix.strip().upper().rstrip("-") + "-"
        return [rule for rule in self.rules.values() if rule.id.upper().startswith(start)]

    def search(self, words: str) -> list[Rule]:
        """The rules that speak of all these words, best first; of some of them, if none speaks of all."""
        wanted = _words(words)
        if not wanted:
            return []
        found: list[tuple[int, int, int, Rule]] = []
        for place, rule in enumerate(self.rules.values()):
            scores = _scores(rule, wanted)
            matched = sum(1 for score in scores if score)
            if matched:
                found.append((-matched, -sum(scores), place, rule))
        found.sort(key=lambda entry: entry[:3])
        best = found[0][0] if found else 0
        return [rule for matched, _, _, rule in found if matched == best or best > -len(wanted)]

    def tables(self) -> Iterator[Table]:
        """Every table, in the order of the book."""
        for chapter in self.chapters:
            yield from chapter.tables


def games() -> list[str]:
    """The games that have a catalogue."""
    own = {game for game, home in homes().items() if (home.folder / "rules.md").is_file()}
    return sorted(own | {path.stem for folder in _folders() for path in folder.glob("*.md")})


@cache
def load(game: str, lang: str = "en") -> Catalogue:
    """The catalogue of a game, in a language as far as it is written in it."""
    if re.fullmatch(r"\w+", game) and re.fullmatch(r"[a-z]{2}", lang):
        for path, other in _files_of(game, lang):
            if path.is_file():
                english = parse(read_text(path), game)
                return translated(english, read_toml(other), str(other)) if other.is_file() else english
    there = games()
    raise problem_with(
        "rules",
        notice("no_rules_of_a_game", game=game),
        hint=did_you_mean(game, there) or notice("there_are", what=there),
    )


def _files_of(game: str, lang: str) -> Iterator[tuple[Path, Path]]:
    """Where the catalogue of a game may be, and beside it the one in another language."""
    home = home_of(game)
    if home is not None:
        yield home.folder / "rules.md", home.folder / f"rules_{lang}.toml"
    for folder in _folders():
        yield folder / f"{game}.md", folder / lang / f"{game}.toml"


def _folders() -> list[Path]:
    """Where catalogues of the games that ship are: in the installed package, or in the documents of a checkout."""
    package = Path(__file__).resolve().parents[2]
    return [folder for folder in (package / "reference", package.parents[1] / "docs" / "rules") if folder.is_dir()]


# -- reading -----------------------------------------------------------------------------------------------------------

_HEADING = re.compile(r"(#+)\s+(.*)")
_NUMBERED = re.compile(r"(\d+)\.\s+(.*)")
_RULE = re.compile(r"- \*\*([A-Z][A-Z0-9]*(?:-[A-Za-z0-9]+)+)\*\*\s*(?:—\s*)?(.*)")
_DERIVED = re.compile(r"\s*\((?:derived|inferred)\)\s*")
_NOTE = re.compile(r"`?(Ruling|Check|Example)\b([^:`\[.]*)(:?)`?(:?)\s*(.*)", re.DOTALL)
_NOTE_INSIDE = re.compile(r"(?:^|\s+)(?=`(?:Ruling|Check|Example)\b[^`]*:`)")
_OPTION = re.compile(r"\[opt ([\w.]+) = ([^\]]+)\]")
_CODES = re.compile(r"\s+—\s+(?:`|[A-Z][A-Z0-9]*-).*?(?=\s*\[|$)|\s*\([A-Z][A-Z0-9]+(?:, ?[A-Z0-9]+)*\)|^\d+\.\d+\s+")
_CELL = re.compile(r"(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)")


def parse(text: str, game: str) -> Catalogue:
    """The catalogue written in `text`.

    Chapters are the headings at the level of the first numbered one; headings below them are sections, and
    headings above them (the title, the parts of a long book) only group.
    """
    reading = _Reading(game, _chapter_level(text))
    for line in text.splitlines():
        reading.take(line)
    return reading.finish()


def _chapter_level(text: str) -> int:
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading and _NUMBERED.match(heading[2]):
            return len(heading[1])
    return 2


class _Reading:
    """What has been read of a catalogue so far."""

    def __init__(self, game: str, chapter_level: int) -> None:
        self.game = game
        self.chapter_level = chapter_level
        self.title = ""
        self.number = ""
        self.chapter = ""
        self.section = ""
        self.caption = ""
        self.rule: dict[str, list[str]] | None = None
        self.rule_id = ""
        self.in_code = False
        self.prose: list[str] = []
        self.chapter_rules: list[str] = []
        self.table: list[tuple[str, ...]] = []
        self.tables: list[Table] = []
        self.rules: dict[str, Rule] = {}
        self.chapters: list[Chapter] = []

    def take(self, line: str) -> None:
        if line.startswith("```"):
            self.in_code = not self.in_code
        if self.in_code or line.startswith("```"):
            self.prose.append(line)
            return

        if line.startswith("|"):
            self._end_rule()
            self.table.append(_cells(line))
            return
        self._end_table()

        heading, rule = _HEADING.match(line), _RULE.match(line)
        if heading:
            self._take_heading(len(heading[1]), heading[2].strip())
        elif rule:
            self._end_rule()
            self.rule_id = rule[1]
            self.rule = {"text": [], "Ruling": [], "Check": [], "Example": []}
            self._take_parts(rule[2])
        elif self.rule is not None and line.startswith("  "):
            self._take_parts(line.strip().removeprefix("- "))
        elif line.strip() and line.strip() != "---":
            self._end_rule()
            self.prose.append(line)
            # A line in bold above a table is its caption: **T15 House-rule options** (38 keys)
            bold = re.match(r"\*\*(.+?)\*\*", line)
            self.caption = bold[1] if bold else self.caption

    def finish(self) -> Catalogue:
        self._end_chapter()
        chapters = tuple(self.chapters)
        return Catalogue(self.game, self.title, self.rules, chapters, _options(chapters))

    def _take_heading(self, level: int, title: str) -> None:
        if level > self.chapter_level:
            self._end_rule()
            self.section = self.caption = _CODES.sub("", title).strip()
            return
        numbered = _NUMBERED.match(title)
        self._end_chapter()
        if not self.title:
            self.title = title
        if level == self.chapter_level:
            self.number = numbered[1] if numbered else ""
            self.chapter = _CODES.sub("", numbered[2] if numbered else title).strip()
            self.caption = self.chapter

    def _take_parts(self, text: str) -> None:
        """A line of a rule; some catalogues write rulings and examples on the line of the statement itself."""
        assert self.rule is not None
        for part in _NOTE_INSIDE.split(text):
            note = _NOTE.match(part)
            is_note = note is not None and (note[3] or note[4] or "[opt " in part or part.startswith("`"))
            if note is None or not is_note:
                if part:
                    self.rule["text"].append(part)
                continue
            which = note[2].strip()
            said = note[5].strip()
            if said.startswith("[opt ") and "]" in said:
                option, _, rest = said.partition("]")
                said = f"{option}] {rest.lstrip(':. ')}".strip()
            if which.isdigit():  # "Ruling 2:"
                which = ""
            elif which and not which.startswith("("):  # "Ruling for validation:"
                which += ":"
            self.rule[note[1]].append(f"{which} {said}".strip())

    def _end_rule(self) -> None:
        if self.rule is None:
            return
        parts = self.rule
        text = "\n".join(parts["text"])
        ruled = not text and bool(parts["Ruling"])
        if ruled:
            text = parts["Ruling"].pop(0)
        rule = Rule(
            id=self.rule_id,
            text=_DERIVED.sub(" ", text).strip(),
            chapter=self.chapter,
            section=self.section,
            rulings=tuple(parts["Ruling"]),
            checks=tuple(parts["Check"]),
            examples=tuple(parts["Example"]),
            options=tuple(key for said in [text, *parts["Ruling"]] for key, _ in _OPTION.findall(said)),
            derived=ruled or _DERIVED.search(text) is not None,
        )
        if rule.id in self.rules:
            raise problem_with(f"{self.game}.md", notice("declared_twice"), where=rule.id)
        self.rules[rule.id] = rule
        self.chapter_rules.append(rule.id)
        self.rule = None

    def _end_table(self) -> None:
        if not self.table:
            return
        columns, *rows = self.table
        kept = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
        self.tables.append(Table(self.caption, columns, tuple(kept)))
        self.table = []

    def _end_chapter(self) -> None:
        self._end_rule()
        self._end_table()
        if self.chapter:
            chapter = Chapter(
                self.number, self.chapter, tuple(self.chapter_rules), tuple(self.tables), "\n".join(self.prose)
            )
            self.chapters.append(chapter)
        self.number = self.chapter = self.section = self.caption = ""
        self.chapter_rules, self.tables, self.prose = [], [], []


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip().strip("|")))


def _options(chapters: Iterable[Chapter]) -> dict[str, Option]:
    options: dict[str, Option] = {}
    for chapter in chapters:
        for table in chapter.tables:
            if table.columns[:4] != ("Key", "Default", "Alternatives", "Rule"):
                continue
            for key, default, alternatives, rule, *meaning in table.rows:
                name = key.strip("`")
                others = tuple(other.strip() for other in alternatives.split(","))
                options[name] = Option(name, default, others, rule, " ".join(meaning))
    return options


# -- other languages ---------------------------------------------------------------------------------------------------

_TERM = re.compile(r"(.+?) \[([^\]]+)\]")


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of a rule in another language; nothing where English must do."""

    text: str = ""
    rulings: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


def translated(book: Catalogue, said: Mapping[str, Any], source: str) -> Catalogue:
    """The catalogue with what a file in another language says of it, rule by rule.

    `title`, `[titles]` (of chapters and sections, by the English ones) and `[meanings]` (of house rules, by their key)
    come first, then a table for each id. A title with the players' own term, as in `Blast [Explosion]`, needs no entry.
    """
    titles, meanings = said.get("titles", {}), said.get("meanings", {})
    problems = [
        Problem(f"titles.{title}", notice("no_such_title"), hint=did_you_mean(title, _titles(book)))
        for title in titles
        if title not in _titles(book)
    ]
    problems += [
        Problem(f"meanings.{key}", notice("no_such_house_rule"), hint=did_you_mean(key, book.options))
        for key in meanings
        if key not in book.options
    ]
    rules = dict(book.rules)
    for rule_id, value in said.items():
        if rule_id in ("title", "titles", "meanings"):
            continue
        if rule_id not in rules:
            problems.append(Problem(rule_id, notice("no_such_rule"), hint=did_you_mean(rule_id, rules)))
            continue
        try:
            rules[rule_id] = _in_other_words(rules[rule_id], msgspec.convert(value, _Said))
        except (msgspec.ValidationError, ValueError) as error:
            problems.append(Problem(rule_id, notice("in_their_words", reason=str(error))))
    if problems:
        raise Problems(source, problems)

    def named(title: str) -> str:
        term = _TERM.fullmatch(title)
        if title in titles or term is None:
            return str(titles.get(title, title))
        return f"{term[2]} [{term[1]}]" if term[2] != term[1] else term[1]

    return msgspec.structs.replace(
        book,
        title=said.get("title", book.title),
        rules={
            id: msgspec.structs.replace(rule, chapter=named(rule.chapter), section=named(rule.section))
            for id, rule in rules.items()
        },
        chapters=tuple(msgspec.structs.replace(chapter, title=named(chapter.title)) for chapter in book.chapters),
        options={
            key: msgspec.structs.replace(option, meaning=meanings.get(key, option.meaning))
            for key, option in book.options.items()
        },
    )


def _titles(book: Catalogue) -> set[str]:
    sections = {rule.section for rule in book.rules.values() if rule.section}
    return {chapter.title for chapter in book.chapters} | sections


def _in_other_words(rule: Rule, said: _Said) -> Rule:
    parts = {}
    for part in ("rulings", "checks", "examples"):
        ours, theirs = getattr(rule, part), getattr(said, part)
        if theirs and len(theirs) != len(ours):
            raise ValueError(f"{len(theirs)} {part}; in English {len(ours)}")
        parts[part] = theirs or ours
    return msgspec.structs.replace(rule, text=said.text or rule.text, **parts)


# -- finding -----------------------------------------------------------------------------------------------------------


def _loose(rule_id: str) -> str:
    """An id as people type it: `gen 2` for `GEN-02`."""
    joined = re.sub(r"[\s_\-]+", "-", rule_id[:200].strip()).upper()
    return re.sub(r"-0+(?=\d)", "-", joined)


def _words(text: str, shape: str = r"\w+") -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(shape, "".join(letter for letter in plain if not unicodedata.combining(letter)))


def _scores(rule: Rule, wanted: list[str]) -> list[int]:
    """How well a rule speaks of each word: its heading counts most, then its statement, then what hangs on it.

    A part of a longer word counts little: who looks for a line does not mean a skirmish-line.
    """
    places = [
        (8, rule.title),
        (6, rule.id.replace("-", " ")),
        (4, rule.text),
        (2, rule.chapter),
        (1, " ".join([*rule.rulings, *rule.checks, *rule.examples])),
    ]
    known = [(weight, set(_words(said, r"\w+(?:-\w+)*")), set(_words(said))) for weight, said in places]
    scores = []
    for word in wanted:
        score = 0
        for weight, there, parts in known:
            if word in there:
                score += 2 * weight
            elif any(other.startswith(word) for other in there) or (
                len(word) > 3 and word.endswith("s") and word[:-1] in there
            ):
                score += weight
            elif any(other.startswith(word) for other in parts):
                score += 1
        scores.append(score)
    return scores
