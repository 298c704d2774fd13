"""What people do round battles: finding each other, talking, clocks, playing again, leagues. No game knows of it."""
