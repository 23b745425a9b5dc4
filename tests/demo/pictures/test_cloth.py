import numpy as np

from demo.pictures.cloth import Handle, Lie, Slack, drape
from demo.pictures.outlines import path

SQUARE = path("M 0 0 L 16 0 L 16 16 L 0 16 L 0 0")
STILL = Lie(seed=1, swing_from=20, swing_to=30, pivot_y=0, swing=0.0, sideways=True)
SMOOTH = Handle(bending=0.08, restless=0.0, crumple=0.0, ease=1.0)


def test_excess_length_buckles_across_its_own_direction() -> None:
    slack = Slack(8, 8, 5, 5, 0, 90, 0.05)

    rest = drape(SQUARE, [slack], [], SMOOTH, STILL, seed=4)

    rise_y, rise_x = np.gradient(rest.z[15:-15, 15:-15])
    assert np.ptp(rest.z) > 0.3
    assert np.abs(rise_y).mean() > 1.5 * np.abs(rise_x).mean()


def test_cloth_without_excess_lies_flatter_than_cloth_with_it() -> None:
    plain = drape(SQUARE, [], [], SMOOTH, STILL, seed=4)
    folded = drape(SQUARE, [Slack(8, 8, 5, 5, 0, 90, 0.05)], [], SMOOTH, STILL, seed=4)

    assert plain.z.std() < 0.5 * folded.z.std()


def test_the_same_seed_gives_the_same_folds_and_another_seed_others() -> None:
    slack = Slack(8, 8, 5, 5, 0, 90, 0.05)

    first, again, other = (drape(SQUARE, [slack], [], SMOOTH, STILL, seed).z for seed in (4, 4, 5))

    assert np.array_equal(first, again)
    assert not np.allclose(first, other, atol=0.01)
