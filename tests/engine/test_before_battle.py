"""What players read before a battle: every house rule and choice has words in every language."""

from __future__ import annotations

import pytest

from oriflamme.engine.words.of_battles import before_battle
from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.games import ids, load, shipped


@pytest.mark.parametrize("game", ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_can_be_chosen_has_a_title_and_names_and_no_word_is_left_over(game: str, lang: str) -> None:
    known = load(game)
    told = before_battle(known)
    written = sentences(game, lang).setup

    assert told["blurb"][lang]
    assert told["like"][lang]
    assert told["map"][lang]
    for kind, values in (
        ("options", {key.removeprefix(f"{game}."): rule.values for key, rule in known.options.items()}),
        ("choices", known.choices),
    ):
        assert written.get(kind, {}).keys() == values.keys()
        for key, words in written.get(kind, {}).items():
            assert words.keys() == {"title", *values[key]}, key
            names = [words[value] for value in values[key]]
            assert len(set(names)) == len(names), key


def test_what_nobody_has_put_into_words_is_called_by_its_key() -> None:
    class Bare(type(load("sbh"))):  # type: ignore[misc]
        choices = {"moon": ("full", "new")}  # noqa: RUF012

    told = before_battle(Bare())

    assert told["choices"] == {
        "moon": {
            "title": {"en": "moon", "fr": "moon"},
            "values": {"full": {"en": "full", "fr": "full"}, "new": {"en": "new", "fr": "new"}},
        }
    }


def test_one_game_is_the_first_to_learn_and_every_game_says_how_long_it_takes() -> None:
    games = [load(id) for id in shipped()]

    assert sorted(game.learning for game in games) == list(range(1, len(games) + 1))
    for game in games:
        assert game.minutes is not None
        shortest, longest = game.minutes
        assert 0 < shortest < longest
