"""The catalogue of the report language: each measure and dimension with its rules and an example query."""

import strawberry

from server.analytics.questions import QuestionGuide, questions
from server.analytics.reports.filters import keys_of
from server.analytics.reports.language import (
    KNOWN,
    MEASURES,
    SOURCE_OF,
    TIME,
    Dimension,
    Measure,
    Source,
    Unit,
    source_dimensions,
)
from server.analytics.reports.question import member_text
from server.catalog import category_queries
from server.catalog.categories import Categories
from server.platform.core.context import reading
from server.platform.gql.types import Info


@strawberry.type(description="A measure, and how to use it.")
class MeasureGuide:
    name: Measure = strawberry.field(description="As a query writes it.")
    label: str = strawberry.field(description="As a person reads it.")
    unit: Unit = strawberry.field(description="What it is counted in.")
    formula: str = strawberry.field(description="How it is counted.")
    adds_up: bool = strawberry.field(description="Whether rows sum to the total; else no shares, no running sums.")
    goes_with: list[Dimension] = strawberry.field(description="What it can be split and filtered by.")
    rows_of: list[Source] = strawberry.field(description="Where it comes from; what to say in `rowsOf` for all of it.")
    example: str = strawberry.field(description="A query that runs.")


@strawberry.type(description="A dimension, and how to use it.")
class DimensionGuide:
    name: Dimension = strawberry.field(description="As a query writes it.")
    label: str = strawberry.field(description="As a person reads it.")
    description: str = strawberry.field(description="What its members are, and their keys.")
    values: list[str] | None = strawberry.field(description="All its keys; null where they are many.")
    is_time: bool = strawberry.field(description="Whether rows run in time, with gaps filled and running sums.")
    goes_with: list[Measure] = strawberry.field(description="What can be split by it.")
    example: str = strawberry.field(description="A query that runs.")


@strawberry.type(description="Something an owner might want to know, and the query that tells it.")
class ReportExample:
    title: str = strawberry.field(description="The question.")
    query: str = strawberry.field(description="A query that runs.")


@strawberry.type(description="Everything that reports can be made of.")
class ReportCatalogue:
    @strawberry.field(description="What can be counted or summed.")
    def measures(self) -> list[MeasureGuide]:
        return [_measure(measure) for measure in Measure]

    @strawberry.field(description="What rows can stand for.")
    async def dimensions(self, info: Info) -> list[DimensionGuide]:
        async with reading(info.context) as session:
            categories = await category_queries.categories(session)
        return [_dimension(dimension, categories) for dimension in Dimension]

    @strawberry.field(description="What each kind of question can be split by: reports, funnels, cohorts, baskets.")
    def questions(self) -> list[QuestionGuide]:
        return questions()

    @strawberry.field(description="Questions to begin with.")
    def examples(self) -> list[ReportExample]:
        return [ReportExample(title=title, query=query) for title, query in EXAMPLES]


def _measure(measure: Measure) -> MeasureGuide:
    facts = MEASURES[measure]
    fitting = source_dimensions(measure)
    first = next(each for each in (Dimension.MONTH, Dimension.CATEGORY) if each in fitting)
    sources = list(dict.fromkeys(SOURCE_OF[base] for base in facts.needs))
    return MeasureGuide(
        name=measure,
        label=facts.label,
        unit=facts.unit,
        formula=facts.formula,
        adds_up=facts.adds_up,
        goes_with=[dimension for dimension in Dimension if dimension in fitting],
        rows_of=sources,
        example=_example(first, measure, [source for source in sources if first in KNOWN[source]]),
    )


def _dimension(dimension: Dimension, categories: Categories) -> DimensionGuide:
    values = keys_of(dimension, categories)
    return DimensionGuide(
        name=dimension,
        label=dimension.value.capitalize(),
        description=dimension.facts.words,
        values=[member_text(value) for value in values] if values else None,
        is_time=dimension in TIME,
        goes_with=[measure for measure in Measure if dimension in source_dimensions(measure)],
        example=_example(dimension, Measure.NET_SALES, [Source.SALES]),
    )


def _example(dimension: Dimension, measure: Measure, rows_of: list[Source]) -> str:
    rows = f", rowsOf: [{', '.join(source.name for source in rows_of)}]" if rows_of != [Source.SALES] else ""
    last = "{ preset: LAST_7_DAYS }" if dimension is Dimension.HOUR else "{ preset: LAST_12_MONTHS }"
    return f"""query {_camel(measure.name)}By{_camel(dimension.name)} {{
  admin {{
    analytics {{
      report(range: {last}, by: [{dimension.name}]{rows}, first: 50) {{
        rows {{
          {dimension.name.lower().replace("_", "")}: dim(is: {dimension.name}) {{
            label
          }}
          value: measure(is: {measure.name}) {{
            amount
            formatted
          }}
        }}
        totals {{
          measure(is: {measure.name}) {{
            formatted
          }}
        }}
      }}
    }}
  }}
}}
"""


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


EXAMPLES: tuple[tuple[str, str], ...] = (
    (
        "How is this month going, compared with the last and with the year before?",
        """query ThisMonth {
  admin {
    analytics {
      report(range: { preset: THIS_MONTH }, by: [DAY], first: 31) {
        range {
          from
          to
        }
        totals {
          sales: measure(is: NET_SALES) {
            formatted
            lastMonth: versus(period: PREVIOUS_MONTH) {
              formatted
              formattedChange
            }
            lastYear: versus(period: PREVIOUS_YEAR) {
              formatted
              formattedChange
            }
          }
        }
        rows {
          day: dim(is: DAY) {
            label
            isPart
          }
          sales: measure(is: NET_SALES) {
            formatted
            cumulative
          }
          orders
        }
      }
    }
  }
}
""",
    ),
    (
        "Which five products bring most in Sweden and Norway, and what is left of them?",
        """query BestInTheNorth {
  admin {
    analytics {
      report(
        range: { last: { days: 90 } }
        by: [PRODUCT]
        where: { country: ["Sweden", "Norway"] }
        top: { n: 5, of: PRODUCT, by: NET_SALES }
      ) {
        rows {
          product: dim(is: PRODUCT) {
            label
            isOther
          }
          sales: measure(is: NET_SALES) {
            formatted
            share
            rank
          }
          units: measure(is: UNITS) {
            formatted
          }
          refundRate: measure(is: REFUND_RATE) {
            formatted
          }
        }
      }
    }
  }
}
""",
    ),
    (
        "What sells out soon?",
        """query SoonSoldOut {
  admin {
    analytics {
      report(
        range: { last: { days: 30 } }
        by: [VARIANT]
        having: [{ measure: UNITS, atLeast: 1 }, { measure: DAYS_OF_COVER, atMost: 14 }]
        orderBy: [{ measure: DAYS_OF_COVER, direction: ASCENDING }]
        first: 10
      ) {
        rows {
          variant: dim(is: VARIANT) {
            label
          }
          left: measure(is: STOCK_ON_HAND) {
            formatted
          }
          lasts: measure(is: DAYS_OF_COVER) {
            formatted
          }
        }
      }
    }
  }
}
""",
    ),
    (
        "When do orders come in?",
        """query WhenOrdersCome {
  admin {
    analytics {
      report(range: { last: { days: 90 } }, by: [WEEKDAY, HOUR_OF_DAY], first: 168) {
        rows {
          weekday: dim(is: WEEKDAY) {
            label
          }
          hour: dim(is: HOUR_OF_DAY) {
            label
          }
          orders
        }
      }
    }
  }
}
""",
    ),
    (
        "Who comes back, and what do they spend?",
        """query NewAndReturning {
  admin {
    analytics {
      report(range: { last: { months: 6 } }, by: [MONTH, CUSTOMER_KIND]) {
        totals {
          repeatRate: measure(is: REPEAT_RATE) {
            formatted
          }
        }
        rows {
          month: dim(is: MONTH) {
            label
          }
          kind: dim(is: CUSTOMER_KIND) {
            label
          }
          customers: measure(is: CUSTOMERS) {
            formatted
          }
          average: measure(is: AVERAGE_ORDER_VALUE) {
            formatted
          }
        }
      }
    }
  }
}
""",
    ),
)
