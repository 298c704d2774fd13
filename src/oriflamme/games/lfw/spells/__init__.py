"""Spells by domain (LFW-SPELL): declared in modules of this folder, which `registries.py` names."""
