"""The report language: measures by dimensions, over a range, with comparisons."""
