"""What an import would change: every row of a file compared with the shop. Makes no database calls."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from server.catalog import discounts
from server.catalog.drafts import MOST_COLORS
from server.catalog.fields import NO_FACTS, ProductFacts
from server.catalog.measurements import length_text
from server.catalog.sizes import SizeSystem
from server.inventory.csv_file import MEASUREMENTS, PRODUCT_COLUMNS, CsvFile, CsvRow
from server.inventory.planned import (
    NEEDED_BY_NEW_PRODUCTS,
    NEEDED_BY_NEW_VARIANTS,
    CatalogSnapshot,
    ImportPlan,
    PlannedChange,
    PlannedColor,
    PlannedImage,
    PlannedProduct,
    PlannedVariant,
    new_id,
    prices_of,
    shown,
    uuid_or_none,
)
from server.platform.core import money
from server.platform.core.text import is_blank


def make(sheet: CsvFile, shop: CatalogSnapshot) -> ImportPlan:
    """The plan for a file; problems are in the order of the rows."""
    plan = ImportPlan()
    groups = _grouped(sheet, shop, plan)
    for product, rows in groups:
        _plan_product(sheet, shop, plan, product, rows)
    plan.problems.sort(key=lambda problem: problem.place)
    plan.changes.sort(key=lambda change: change.row)
    plan.unchanged = len(sheet.rows) - len({change.row for change in plan.changes} | plan.new_rows)
    return plan


def wanted_ids(sheet: CsvFile) -> tuple[list[str], set[UUID], set[UUID]]:
    """What a file names: SKUs, product ids and image ids."""
    products = {product_id for row in sheet.rows if (product_id := uuid_or_none(row.values.get("product", "")))}
    images = {
        image for row in sheet.rows for column in ("images", "color_images") for image in row.values.get(column, ())
    }
    return [row.values["sku"] for row in sheet.rows], products, images


def _grouped(sheet: CsvFile, shop: CatalogSnapshot, plan: ImportPlan) -> list[tuple[PlannedProduct, list[CsvRow]]]:
    """The rows by product. A product without an id in the shop is new."""
    groups: dict[UUID, tuple[PlannedProduct, list[CsvRow]]] = {}
    words: dict[str, UUID] = {}
    seen: dict[str, int] = {}
    for row in sheet.rows:
        item = shop.items.get(row.values["sku"])
        word = row.values.get("product", "")
        if item and word and not uuid_or_none(word):
            words.setdefault(word.lower(), item.product_id)
    for row in sheet.rows:
        sku = row.values["sku"]
        if sku in seen:
            plan.problems.append(sheet.problem(row, "sku", f"{sku} is in row {seen[sku]} already"))
            continue
        seen[sku] = row.number
        product = _product_of(sheet, shop, plan, row, words)
        if product:
            groups.setdefault(product.id, (product, []))[1].append(row)
    return list(groups.values())


def _product_of(
    sheet: CsvFile, shop: CatalogSnapshot, plan: ImportPlan, row: CsvRow, words: dict[str, UUID]
) -> PlannedProduct | None:
    item, word = shop.items.get(row.values["sku"]), row.values.get("product", "")
    named = uuid_or_none(word)
    if named and named not in shop.products:
        message = "This shop has no such product. A new one takes a word of your own, the same in all of its rows"
        plan.problems.append(sheet.problem(row, "product", message))
        return None
    if item:
        product_id = named or words.get(word.lower(), item.product_id)
        if product_id != item.product_id:
            owner = shop.products[item.product_id].facts.name
            plan.problems.append(sheet.problem(row, "product", f"{item.sku} belongs to {owner}"))
            return None
        return shop.products[item.product_id]
    if named:
        return shop.products[named]
    if not word:
        message = f"{row.values['sku']} is not known. To make it, put its product's id, or a word of your own, here"
        plan.problems.append(sheet.problem(row, "product", message))
        return None
    if word.lower() not in words:
        product = PlannedProduct(new_id(), NO_FACTS)
        words[word.lower()] = product.id
        shop.products[product.id] = product
        plan.new_products[product.id] = product
    return shop.products[words[word.lower()]]


def _plan_product(
    sheet: CsvFile, shop: CatalogSnapshot, plan: ImportPlan, product: PlannedProduct, rows: Sequence[CsvRow]
) -> None:
    is_new = product.id in plan.new_products
    plan.names[product.id] = product.facts.name
    if is_new and not _has(sheet, plan, rows[0], NEEDED_BY_NEW_PRODUCTS):
        return
    _agree(sheet, plan, rows, (*PRODUCT_COLUMNS, "images"), "product")
    _plan_facts(sheet, shop, plan, product, rows)
    colors = _plan_colors(sheet, shop, plan, product, rows)
    _, after = plan.edited.get(product.id, (product.facts, product.facts))
    sizes = shop.categories.sizes_of(after.category)
    for row in rows:
        _plan_item(sheet, shop, plan, product, row, colors, sizes)
    _plan_pictures(sheet, shop, plan, product, rows, colors)
    if is_new:
        pieces, price = sum(item.stock for item in product.items), money.dollars(product.facts.price_cents)
        words = f"{_many(len(product.items), 'variant')}, {_many(pieces, 'piece')}, {price}"
        plan.changes.append(
            PlannedChange(rows[0].number, rows[0].values["sku"], product.facts.name, "product", None, words)
        )


def _plan_facts(
    sheet: CsvFile, shop: CatalogSnapshot, plan: ImportPlan, product: PlannedProduct, rows: Sequence[CsvRow]
) -> None:
    row, is_new = rows[0], product.id in plan.new_products
    before, after = product.facts, _entered(product.facts, row)
    starts, ends = after.discount_starts_at, after.discount_ends_at
    if starts and ends and starts >= ends:
        plan.problems.append(sheet.problem(row, "discount_ends", "A discount ends after it has started"))
    if prices_of(before) != prices_of(after) or is_new:
        percent = discounts.percentage(after.price_cents, after.discounted_price_cents)
        after = replace(after, discount_percentage=percent)
    after = replace(after, measurements=_plan_measurements(sheet, shop, plan, product, rows, after.category))
    if is_new:
        product.facts = after
        return
    for column, member in PRODUCT_COLUMNS.items():
        old, new = shown(getattr(before, member), column), shown(getattr(after, member), column)
        if old != new:
            plan.changes.append(PlannedChange(row.number, row.values["sku"], before.name, column, old, new))
    made_in = [item.size for item in product.items if not item.is_retired]
    if before.category != after.category and (problem := shop.categories.sizes_of(after.category).problem(made_in)):
        plan.problems.append(sheet.problem(row, "category", f"{problem} there, and {before.name} has others"))
    if before != after:
        plan.edited[product.id] = before, after


def _entered(before: ProductFacts, row: CsvRow) -> ProductFacts:
    """The facts with what the row says. A title that was the name stays the name."""
    values = {member: row.values[column] for column, member in PRODUCT_COLUMNS.items() if column in row.values}
    if values.get("weight_grams", 0) is None:
        del values["weight_grams"]
    if category := values.pop("category", None):
        values["gender"], _, values["subcategory"] = category.partition("_")
    after = replace(before, **values)
    if is_blank(after.title) or (after.title == before.title == before.name):
        after = replace(after, title=after.name)
    return after


def _plan_measurements(
    sheet: CsvFile,
    shop: CatalogSnapshot,
    plan: ImportPlan,
    product: PlannedProduct,
    rows: Sequence[CsvRow],
    category: str,
) -> dict[str, dict[str, int]]:
    """The product's table as it will be. An empty cell is not measured; what the file does not name stays."""
    columns = [column for column in sheet.columns if column in MEASUREMENTS]
    if not columns:
        return product.facts.measurements
    table = {point: dict(lengths) for point, lengths in product.facts.measurements.items()}
    measured = [column for column in columns if MEASUREMENTS[column][0] in shop.categories.points_of(category)]
    for row in rows:
        for column in columns:
            if column not in measured and row.values[column] is not None:
                message = "This kind of garment is not measured there"
                plan.problems.append(sheet.problem(row, column, message))
    for size, own in _by_size(shop, shop.categories.sizes_of(category), rows).items():
        _agree(sheet, plan, own, measured, "product and size")
        for column in measured:
            _plan_length(plan, product, own[0], column, size, table)
    return {point: lengths for point, lengths in table.items() if lengths}


def _by_size(shop: CatalogSnapshot, sizes: SizeSystem, rows: Sequence[CsvRow]) -> dict[str, list[CsvRow]]:
    by_size: dict[str, list[CsvRow]] = {}
    for row in rows:
        item = shop.items.get(row.values["sku"])
        size = item.size if item else sizes.named(row.values.get("size", ""))
        if size:
            by_size.setdefault(size, []).append(row)
    return by_size


def _plan_length(
    plan: ImportPlan,
    product: PlannedProduct,
    row: CsvRow,
    column: str,
    size: str,
    table: dict[str, dict[str, int]],
) -> None:
    point, unit = MEASUREMENTS[column]
    before, after = table.get(point, {}).get(size), row.values[column]
    if before == after:
        return
    if after is None:
        del table[point][size]
    else:
        table.setdefault(point, {})[size] = after
    if product.id not in plan.new_products:
        old, new = ("" if length is None else length_text(length, unit) for length in (before, after))
        plan.changes.append(PlannedChange(row.number, row.values["sku"], product.facts.name, column, old, new))


def _plan_colors(
    sheet: CsvFile, shop: CatalogSnapshot, plan: ImportPlan, product: PlannedProduct, rows: Sequence[CsvRow]
) -> dict[str, tuple[PlannedColor, list[CsvRow]]]:
    """The colors of the rows by lower-case name, each with its rows; new ones are created."""
    by_name: dict[str, tuple[PlannedColor, list[CsvRow]]] = {}
    named = {color.name.lower(): color for color in product.colors.values()}
    for row in rows:
        item, name = shop.items.get(row.values["sku"]), row.values.get("color")
        color = product.colors[item.color_id] if item else named.get(name.lower()) if name else None
        if item and color and name and name.lower() != color.name.lower():
            message = f"{item.sku} is {color.name}. Another color takes a SKU of its own"
            plan.problems.append(sheet.problem(row, "color", message))
        elif color and not item and color.is_retired:
            message = f"{color.name} is there already, retired: put it back first"
            plan.problems.append(sheet.problem(row, "color", message))
        elif color is None and name:
            if not row.values.get("color_hex"):
                plan.problems.append(sheet.problem(row, "color_hex", f"{name} is new and needs its color_hex"))
                continue
            color = named[name.lower()] = PlannedColor(new_id(), name, row.values["color_hex"])
            plan.new_colors.append((product.id, color, len(named) - 1))
            product.colors[color.id] = color
            if len(named) > MOST_COLORS:
                plan.problems.append(sheet.problem(row, "color", f"At most {MOST_COLORS} colors"))
        if color:
            by_name.setdefault(color.name.lower(), (color, []))[1].append(row)
    for color, own in by_name.values():
        _agree(sheet, plan, own, ("color_hex", "color_images"), "color")
        hex_value = own[0].values.get("color_hex")
        if hex_value and hex_value != color.hex:
            plan.dyed[color.id] = hex_value
            change = PlannedChange(
                own[0].number, own[0].values["sku"], product.facts.name, "color_hex", color.hex, hex_value
            )
            plan.changes.append(change)
    return by_name


def _plan_item(
    sheet: CsvFile,
    shop: CatalogSnapshot,
    plan: ImportPlan,
    product: PlannedProduct,
    row: CsvRow,
    colors: Mapping[str, tuple[PlannedColor, list[CsvRow]]],
    sizes: SizeSystem,
) -> None:
    item, size, stock = shop.items.get(row.values["sku"]), row.values.get("size"), row.values.get("stock")
    if item is None:
        if _has(sheet, plan, row, NEEDED_BY_NEW_VARIANTS) and row.values["color"].lower() in colors:
            color = colors[row.values["color"].lower()][0]
            _make_item(sheet, plan, product, row, color, sizes)
        return
    if size and size.casefold() != item.size.casefold():
        message = f"{item.sku} is size {item.size}. Another size takes a SKU of its own"
        plan.problems.append(sheet.problem(row, "size", message))
    if stock is None or stock == row.values.get("exported_stock") or stock == item.stock:
        return
    plan.moved[item.id] = stock - item.stock
    if item.stock == 0:
        plan.restocked.append(item.id)
    change = PlannedChange(row.number, item.sku, product.facts.name, "stock", str(item.stock), str(stock))
    plan.changes.append(change)


def _make_item(
    sheet: CsvFile, plan: ImportPlan, product: PlannedProduct, row: CsvRow, color: PlannedColor, sizes: SizeSystem
) -> None:
    sku, size, stock = row.values["sku"], sizes.named(row.values["size"]), row.values["stock"]
    if size is None:
        plan.problems.append(sheet.problem(row, "size", f"Sizes are {', '.join(sizes.sizes)}"))
        return
    taken = next((each for each in product.items if (each.color_id, each.size) == (color.id, size)), None)
    if taken:
        message = f"{product.facts.name} in {color.name} {size} is there already, as {taken.sku}"
        plan.problems.append(sheet.problem(row, "sku", message))
        return
    item = PlannedVariant(new_id(), product.id, color.id, size, sku, stock)
    product.items.append(item)
    plan.new_items.append(item)
    plan.new_rows.add(row.number)
    if product.id not in plan.new_products:
        words = f"{color.name} {size}, {_many(stock, 'piece')}"
        plan.changes.append(PlannedChange(row.number, sku, product.facts.name, "sku", None, words))


def _plan_pictures(
    sheet: CsvFile,
    shop: CatalogSnapshot,
    plan: ImportPlan,
    product: PlannedProduct,
    rows: Sequence[CsvRow],
    colors: Mapping[str, tuple[PlannedColor, list[CsvRow]]],
) -> None:
    drafted: dict[UUID | None, tuple[tuple[UUID, ...], CsvRow, str]] = {}
    if "images" in rows[0].values:
        drafted[None] = (rows[0].values["images"], rows[0], "images")
    for color, own in colors.values():
        if "color_images" in own[0].values:
            drafted[color.id] = (own[0].values["color_images"], own[0], "color_images")
    for images, row, column in drafted.values():
        unknown = [image for image in images if image not in shop.images]
        if unknown:
            message = f"This shop has no picture {unknown[0]}; upload it first"
            plan.problems.append(sheet.problem(row, column, message))
            return
    before = {place: tuple(each.image_id for each in product.pictures if each.color_id == place) for place in drafted}
    after = {place: images for place, (images, _, _) in drafted.items()}
    if before == after:
        return
    alts = {(each.color_id, each.image_id): each.alt for each in product.pictures}
    pictures: list[PlannedImage] = []
    for place in _places(product, drafted):
        own_now = [each.image_id for each in product.pictures if each.color_id == place]
        for image in after.get(place, tuple(own_now)):
            pictures.append(PlannedImage(place, image, alts.get((place, image), product.facts.name)))
    _, row, column = next(each for place, each in drafted.items() if before[place] != after[place])
    if len(pictures) > shop.most_pictures:
        plan.problems.append(sheet.problem(row, column, f"At most {shop.most_pictures} images"))
    plan.pictures[product.id] = pictures
    if product.id not in plan.new_products:
        old, new = (_many(len(each), "picture") for each in (product.pictures, pictures))
        plan.changes.append(PlannedChange(row.number, row.values["sku"], product.facts.name, column, old, new))


def _places(product: PlannedProduct, places_in_file: Iterable[UUID | None]) -> list[UUID | None]:
    """Colors in the present order of their images, then those without any, then None for the whole product."""
    now = list(dict.fromkeys(each.color_id for each in product.pictures if each.color_id))
    return [*dict.fromkeys([*now, *(place for place in places_in_file if place)]), None]


def _has(sheet: CsvFile, plan: ImportPlan, row: CsvRow, columns: Sequence[str]) -> bool:
    """Whether a new object's row has all required columns; each missing one is a problem."""
    missing = [column for column in columns if column not in row.values]
    for column in missing:
        message = f"{row.values['sku']} is new and needs the column {column}"
        plan.problems.append(sheet.problem(row, column, message))
    return not missing


def _agree(sheet: CsvFile, plan: ImportPlan, rows: Sequence[CsvRow], columns: Iterable[str], what: str) -> None:
    """Reports rows of a product that differ from the majority in a column that must be equal in all of them."""
    for column in columns:
        if column not in rows[0].values:
            continue
        [(usual, _)] = Counter(row.values[column] for row in rows).most_common(1)
        first = next(row for row in rows if row.values[column] == usual)
        for row in rows:
            if row.values[column] != usual:
                message = f"Differs from row {first.number}, which is of the same {what}"
                plan.problems.append(sheet.problem(row, column, message))


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
