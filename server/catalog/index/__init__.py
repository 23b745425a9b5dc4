"""The catalogue in memory, for lists, filters, facets and searches; uses neither a database nor a framework.

Every attribute and word of a product is the key of a bitmap of the products that have it (`postings`), and every sort
order a list of products (`order`). The index translates queries into these terms, with the help of `words`.
"""
