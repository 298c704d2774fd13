"""Factions and lists of Conquest: what is read, what is refused, and what takes the field."""

from __future__ import annotations

from oriflamme.games.tlaok.armies import faction, factions, field_regiment, raise_regiment


def test_every_faction_can_be_read() -> None:
    assert "salt_crown" in factions()


def test_infantry_has_all_its_command_models_on_one_stand() -> None:
    army = faction("salt_crown")

    regiment = field_regiment(
        raise_regiment(army.regiments["dyke_levy"], army, stands=5, models=["leader", "standard", "drum_sergeant"]),
        0,
        "levy",
    )

    assert [stand.models for stand in regiment.figures if stand.models] == [("leader", "standard", "drum_sergeant")]
    assert regiment.command is not None
    assert regiment.size == 5
