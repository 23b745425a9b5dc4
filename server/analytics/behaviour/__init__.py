"""Events of visits, and the funnel, cohorts and basket pairs made from orders and events."""
