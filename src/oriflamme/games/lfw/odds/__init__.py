"""The odds of Last Fantasy War: shots, blows, combats of two and courage, counted by the rules that play them."""
