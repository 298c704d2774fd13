"""The odds of Song of Blades and Heroes: of attacks, of gambles, and how they are told."""
