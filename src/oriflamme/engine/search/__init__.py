"""Looking ahead: bots that try answers in battles that may be the true one, and the levels of strength made of them."""
