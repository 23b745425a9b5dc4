"""Draws the demo shop's product pictures: flat-laid garments whose folds are simulated and whose light is computed.

Everything is designed in centimeters on the garment, with y pointing down and x = 0 on the center line; only the
camera knows about pixels. The pictures are drawn once, by `just pictures`, and committed in `drawn/`.
"""
