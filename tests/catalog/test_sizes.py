"""Sizes of random systems: their order, their names, and what filters choose among them."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from server.catalog.sizes import FRESH, SizeChoices, SizeSystem, axes_of, stored_axes
from tests.catalog.size_systems import JEANS, LENGTHS, SEVERAL, SHOES, WAISTS, systems

Pair = tuple[SizeSystem, str]


@given(systems("a"), st.randoms())
def test_sizes_are_sorted_as_the_axes_have_them(system: SizeSystem, random: Random) -> None:
    shuffled = list(system.sizes)
    random.shuffle(shuffled)

    assert system.in_order(shuffled + shuffled) == list(system.sizes)
    assert system.in_order(["gone", *shuffled])[-1] == "gone"


@given(systems("a"))
def test_a_size_is_read_back_in_any_case_and_spacing(system: SizeSystem) -> None:
    for size in system.sizes:
        assert system.named(f" {size.lower().replace(' ', '  ')} ") == size
    assert system.named("none of these") is None
    assert axes_of(stored_axes(system.axes)) == system.axes


def test_two_axes_make_each_value_with_each_the_first_axis_first() -> None:
    assert JEANS.sizes == ("W28 L30", "W28 L32", "W30 L30", "W30 L32", "W32 L30", "W32 L32")


@given(SEVERAL)
def test_no_two_sizes_share_a_key_and_letters_keep_their_names(several: tuple[SizeSystem, ...]) -> None:
    keys = [system.key_of(size) for system in several for size in system.sizes]

    assert len(set(keys)) == len(keys)
    assert [FRESH.key_of(size) for size in FRESH.sizes] == ["XS", "S", "M", "L", "XL", "XXL"]


@given(SEVERAL, st.data())
def test_choices_match_the_sizes_with_a_chosen_value_on_each_axis(
    several: tuple[SizeSystem, ...], data: st.DataObject
) -> None:
    choices = SizeChoices(several)
    chosen = data.draw(st.lists(st.sampled_from([each.key for each in choices.all]), max_size=4, unique=True))

    matching = {key for system in several for key in matches(system, chosen)}

    assert set(choices.made_in(chosen)) == matching


@given(SEVERAL, st.data())
def test_a_facet_counts_without_its_own_axis_only(several: tuple[SizeSystem, ...], data: st.DataObject) -> None:
    choices = SizeChoices(several)
    chosen = data.draw(st.lists(st.sampled_from([each.key for each in choices.all]), max_size=4, unique=True))
    choice = data.draw(st.sampled_from(choices.all)).key
    system = next(each for each in several if choice in own_keys(each, 0) + own_keys(each, 1))
    axis = 0 if choice in own_keys(system, 0) else 1
    others = [key for key in chosen if key in own_keys(system, 1 - axis)]

    assert set(choices.made_in_instead(chosen, choice)) == set(matches(system, [choice, *others]))


def matches(system: SizeSystem, chosen: Sequence[str]) -> list[str]:
    """Keys of the sizes that a filter lets through, found by looking at each."""
    by_axis = [[key for key in chosen if key in own_keys(system, at)] for at in range(len(system.axes))]
    if not any(by_axis):
        return []
    sizes = []
    for size in system.sizes:
        parts = size.split(" ") if len(system.axes) == 2 else [size]
        fits = [not own or system.key_of(part) in own for own, part in zip(by_axis, parts, strict=True)]
        sizes += [system.key_of(size)] * all(fits)
    return sizes


def own_keys(system: SizeSystem, axis: int) -> list[str]:
    return [system.key_of(value.name) for value in system.axes[axis].values] if axis < len(system.axes) else []


def test_a_name_means_the_size_in_every_system_that_has_it() -> None:
    choices = SizeChoices((FRESH, SHOES, JEANS))

    assert choices.keys_of("M") == ("M",)
    assert choices.keys_of("38") == ("shoes:38",)
    assert choices.keys_of("shoes:38") == ("shoes:38",)
    assert choices.keys_of("W30 L32") == ("jeans:W30 L32",)
    assert choices.keys_of("jeans:W30 L32") == ("jeans:W30 L32",)
    assert choices.keys_of("W30") == ("jeans:W30",)
    assert choices.keys_of("99") == choices.keys_of("shoes:99") == choices.keys_of("jeans:M") == ()


def test_what_is_chosen_of_two_axes_is_a_group_of_each() -> None:
    groups = [(each.group, each.name) for each in SizeChoices((JEANS,)).all]

    assert groups == [("Waist", each) for each in WAISTS] + [("Length", each) for each in LENGTHS]
