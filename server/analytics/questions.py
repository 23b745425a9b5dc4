"""The kinds of questions that analytics answers, and what each can be split by."""

from collections.abc import Sequence

import strawberry
from graphql import GraphQLError

from server.analytics.behaviour import funnel
from server.analytics.behaviour.cohorts import CohortPeriod
from server.analytics.reports.language import Dimension

UNKNOWN_DIMENSION = "does not exist in 'ReportDimension' enum."
SPLITS_HINT = "`catalogue.questions` says what each question of analytics can be split by, and what is not recorded."
REPORT_QUERY = """query SalesByMonth {
  admin {
    analytics {
      report(range: { preset: LAST_12_MONTHS }, by: [MONTH]) {
        rows {
          month: dim(is: MONTH) {
            label
          }
          sales: measure(is: NET_SALES) {
            formatted
          }
        }
      }
    }
  }
}
"""
FUNNEL_QUERY = """query FunnelByCategory {
  admin {
    analytics {
      funnel(range: { last: { days: 30 } }, by: CATEGORY) {
        rows {
          label
          steps {
            name
            visits
            ofPrevious
          }
        }
      }
    }
  }
}
"""
COHORTS_QUERY = """query CohortsByMonth {
  admin {
    analytics {
      cohorts(range: { preset: LAST_12_MONTHS }, period: MONTH) {
        label
        customers
        periods {
          number
          retention
        }
      }
    }
  }
}
"""
BASKETS_QUERY = """query BoughtTogether {
  admin {
    analytics {
      basketPairs(range: { last: { days: 90 } }) {
        first
        second
        orders
        lift
      }
    }
  }
}
"""


@strawberry.type(description="A kind of question, and what it can be split by.")
class QuestionGuide:
    name: str = strawberry.field(description="The field that answers it, such as `funnel`.")
    description: str = strawberry.field(description="What it tells.")
    split_by: list[Dimension] = strawberry.field(description="What it can be split by; empty for nothing.")
    not_by: list[Dimension] = strawberry.field(description="What only other questions can be split by.")
    not_recorded: list[str] = strawberry.field(
        description="What it cannot be split by because the shop does not record it."
    )
    note: str = strawberry.field(description="How it is split, and what limits that.")
    example: str = strawberry.field(description="A query that runs.")


def questions() -> list[QuestionGuide]:
    """Every question, in the order in which an admin meets them."""
    return [
        _guide(
            "report",
            "Sums, counts and rates of sales, stock and visits.",
            tuple(Dimension),
            "By up to all of these at once, in `by`; `measures.goesWith` says which of them each measure goes with.",
            REPORT_QUERY,
            ("device", "traffic source", "customer"),
        ),
        _guide(
            "funnel",
            "How far visits come: viewed, added, checkout, paid.",
            funnel.SPLITS,
            f"By one of these, in `by`. {funnel.UNKNOWN_WORDS}",
            FUNNEL_QUERY,
            funnel.UNKNOWN,
        ),
        _guide(
            "cohorts",
            "How many shoppers come back, and what they spend.",
            tuple(Dimension[period.name] for period in CohortPeriod),
            "By when shoppers first bought, in `period`; by nothing else.",
            COHORTS_QUERY,
            ("device", "traffic source"),
        ),
        _guide(
            "basketPairs",
            "Which products are bought together.",
            (),
            "Of all paid orders of the range together; it is not split.",
            BASKETS_QUERY,
            ("device", "traffic source"),
        ),
    ]


def _guide(
    name: str, description: str, fitting: Sequence[Dimension], note: str, example: str, unknown: Sequence[str]
) -> QuestionGuide:
    return QuestionGuide(
        name=name,
        description=description,
        split_by=list(fitting),
        not_by=[dimension for dimension in Dimension if dimension not in fitting],
        not_recorded=list(unknown),
        note=note,
        example=example,
    )


def with_splits_hint(error: GraphQLError) -> GraphQLError:
    """Adds a hint to the validation error for an unknown dimension, such as a visit's device."""
    if UNKNOWN_DIMENSION not in error.message:
        return error
    message = f"{error.message} {SPLITS_HINT}"
    return GraphQLError(message, nodes=error.nodes, path=error.path, extensions=error.extensions)
