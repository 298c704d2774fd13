"""A table with heights and insides: where one stands, how one gets there, and what one sees from there."""
