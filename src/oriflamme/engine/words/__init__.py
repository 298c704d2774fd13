"""From facts to sentences: text files, notices, problems with what somebody wrote, the rule catalogue."""
