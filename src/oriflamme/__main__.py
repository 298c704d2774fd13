"""`python -m oriflamme` is the command `oriflamme`."""

from oriflamme.cli import main

if __name__ == "__main__":
    main()
