"""What a card does, in the words of players: changes, spells, kinds and classes, in English and French."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.games.tlaok.army.cards import STATES, Change, Extra, Names, SpellCard
from oriflamme.games.tlaok.profile import Spell

_TERM: Final = re.compile(r"[A-Z][\w'-]*(?: (?:of |and )?[A-Z][\w'-]*)*")
_AMOUNTS: Final = ("hits", "hits_per_success", "heal", "heal_per_success")


def in_all_languages(text_in: Any, *arguments: Any) -> Names:
    return {lang: text_in(*arguments, lang) for lang in LANGUAGES}


def word_of(field: str, value: str, lang: str) -> str:
    """A word of a card, such as its type or class; the value itself if there is none."""
    return sentences("tlaok", lang).words.get(field, {}).get(value, value)


def rule_in_words(printed: str, lang: str) -> str:
    """A special rule, draw event or weapon as printed, every term in it as players of the language say it."""
    terms = sentences("tlaok", lang).terms

    def term(found: re.Match[str]) -> str:
        return terms.get(found[0]) or terms.get(found[0].lower().replace(" ", "_")) or found[0]

    return _TERM.sub(term, printed)


def change_in_words(change: Change, lang: str) -> str:
    """What is granted, or how much of what: "+1 Defence, at most 4"."""
    text = sentences("tlaok", lang)
    if change.grant or change.event:
        return rule_in_words(change.grant or change.event, lang)
    amount = f"{change.add:+d}".replace("-", "−") if change.set is None else str(change.set)
    if change.stat in STATES:
        return word_of("does", change.stat, lang).replace("#", amount)
    most = f", {word_of('does', 'cap', lang)} {change.cap}" if change.cap is not None else ""
    stat = text.term(change.stat)
    return f"{amount} {stat[:1].upper()}{stat[1:]}{most}"


def effect_in_words(effect: Mapping[str, Any], lang: str) -> str:
    """What a spell does to its target."""
    entries = [_counted(effect[key], word_of("does", key, lang)) for key in _AMOUNTS if key in effect]
    entries += [rule_in_words(rule, lang) for rule in effect.get("rules", ())]
    entries += [change_in_words(Change(**change), lang) for change in effect.get("changes", ())]
    return "; ".join([*entries, *([word_of("does", "rally", lang)] if effect.get("rally") else [])])


def spell_in_words(spell: SpellCard | Spell, lang: str) -> str:
    return effect_in_words(spell.effect, lang)


def extra_in_words(extra: Extra, lang: str) -> str:
    """What something bought does."""
    return "; ".join(dict.fromkeys(change_in_words(change, lang) for change in extra.changes))


def _counted(number: int, forms: str) -> str:
    one, _, many = forms.partition("|")
    return (one if number == 1 else many).replace("#", str(number))
