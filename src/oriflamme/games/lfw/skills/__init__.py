"""Skills of specialists (LFW-SPEC): declared in modules of this folder, which `registries.py` names."""
