"""Facts of sales and visits, and the reports on them. No other domain imports this one."""
