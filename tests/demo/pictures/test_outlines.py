import numpy as np
import pytest

from demo.pictures.outlines import closed, mirrored, on_side, path, resampled, without


def test_a_path_runs_through_its_corners_in_centimeters() -> None:
    line = path("M 0 0 L 3 0 L 3 4")

    assert line[0].tolist() == [0, 0]
    assert [3.0, 0.0] in line.tolist()
    assert line[-1].tolist() == [3, 4]


def test_a_curve_ends_where_it_says_and_starts_along_its_handle() -> None:
    line = path("M 0 0 C 10 0 10 10 10 10")

    assert line[-1].tolist() == [10, 10]
    assert line[1, 0] > 20 * line[1, 1]


def test_the_left_side_is_the_right_side_mirrored_with_its_direction_kept() -> None:
    right, left = on_side(1, "M 1 0 L 5 9"), on_side(-1, "M 1 0 L 5 9")

    assert left.tolist() == mirrored(right).tolist()
    assert left[0].tolist() == [-1, 0]


def test_a_closed_outline_is_symmetric() -> None:
    outline = closed(path("M 0 0 L 4 0 L 4 6 L 0 6"))

    assert outline[:, 0].sum() == pytest.approx(0)
    assert outline[:, 0].min() == -4


def test_resampling_measures_the_way_along_the_line() -> None:
    points, along = resampled(path("M 0 0 L 3 0 L 3 4"), 0.5)

    assert along[-1] == pytest.approx(7)
    assert points[-1].tolist() == [3, 4]


def test_an_edge_that_is_sewn_to_something_is_no_free_edge() -> None:
    square = path("M 0 0 L 10 0 L 10 10 L 0 10 L 0 0")

    free = np.vstack(without(square, [path("M 10 0 L 10 10")]))

    assert free[:, 0].max() < 10
    assert free[:, 0].min() == 0
