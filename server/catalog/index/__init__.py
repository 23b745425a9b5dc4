"""The catalogue as lists, filters, facets and searches need it: in memory, without a database or a framework.

Every attribute and word of a product is the key of a bitmap of the products that have it (`postings`), every order a
list of products (`order`), and what a question means in those terms is worked out here and in `words`.
"""
