"""The table's camera as people see it: choosing one, lending a phone's, and measuring the table with it."""
