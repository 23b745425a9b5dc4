"""GraphQL's machinery, which no domain owns: what a request is, which operation of a document runs, what is cached."""
