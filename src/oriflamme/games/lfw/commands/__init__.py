"""Command abilities (LFW-ADC): declared in modules of this folder, which `registries.py` names."""
