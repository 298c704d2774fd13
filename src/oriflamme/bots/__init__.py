"""Players that are programs. A bot sees its own view, never the battle, and has its own random source."""
