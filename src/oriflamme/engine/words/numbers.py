"""Numbers and parts of all, as they are written in a language."""

from __future__ import annotations


def decimal(number: float, lang: str, form: str = "g") -> str:
    """A number as it is written in a language."""
    written = format(number, form)
    return written.replace(".", ",") if lang == "fr" else written


def percent(part: float, lang: str, *, sign: bool = False, digits: int = 0) -> str:
    """A part of all, in hundredths."""
    text = decimal(100 * part, lang, f"{'+' if sign else ''}.{digits}f")
    return f"{text.replace('-', '−')}{' ' if lang == 'fr' else ''}%"
