"""What screens show of a battle besides the question that is asked."""
