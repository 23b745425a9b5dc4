"""Texts of which nothing can be seen, and what a form of nothing else is answered."""

BLANKS = ["", " ", "  ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2800", "\u3164", " \u200b "]
ADDRESS_MISSING = {
    "name": "Full name is required",
    "address1": "Address is required",
    "city": "City is required",
    "country": "Country is required",
    "phone": "Phone number is required",
}
