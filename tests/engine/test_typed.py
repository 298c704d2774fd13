"""What the type checker says about a game: wrong answers, steps and moments are its errors, not surprises in play."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
WRONG = Path(__file__).parent / "wrongly_typed.py"


def test_wrong_answers_steps_and_moments_are_errors_of_the_type_checker() -> None:
    """Each line of the file that ends in `# error: ...` is one, with these words, and no other line is."""
    expected = {
        (number, said)
        for number, line in enumerate(WRONG.read_text(encoding="utf-8").splitlines(), 1)
        for said in re.findall(r"# error: (.*)$", line)
    }

    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", str(WRONG)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )

    found = re.findall(r"wrongly_typed.py:(\d+): error: (.*)  \[", checked.stdout)
    assert {int(number) for number, _ in found} == {number for number, _ in expected}, checked.stdout + checked.stderr
    for number, said in expected:
        assert any(int(line) == number and said in what for line, what in found), (number, said, found)
