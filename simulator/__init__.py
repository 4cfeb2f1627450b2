"""Made-up domino tables, endlessly many, with the truth beside each picture."""
