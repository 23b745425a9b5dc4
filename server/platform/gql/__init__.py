"""GraphQL's machinery, which no domain owns: parsing, validation, cost, execution, permissions, pagination."""
