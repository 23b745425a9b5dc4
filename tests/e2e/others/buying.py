"""The buyer's path in steps, the same for every browser: each finds what it needs by the words that a person reads."""

from tests.e2e.others.webdriver import Tab

PASSWORD = "CorrectHorse7!"
CARD = "4242424242424242"
PIECE = "//main//a[starts-with(@href, '/product/')][normalize-space()]"
FORM = "//iframe[@title='Secure checkout']"
ADDRESS = {
    "Full name": "Ada Lovelace",
    "Address line 1": "12 St James's Square",
    "City": "London",
    "Country": "United Kingdom",
    "Phone": "+44 20 7946 0958",
}


def field(label: str) -> str:
    return f"//*[@id=//label[normalize-space()='{label}']/@for]"


def button(words: str) -> str:
    return f"//button[starts-with(normalize-space(), '{words}')]"


def link(words: str) -> str:
    return f"//a[starts-with(normalize-space(), '{words}')]"


def heading(words: str) -> str:
    return f"//*[self::h1 or self::h2][normalize-space()='{words}']"


def choose_a_piece(tab: Tab, home: str) -> str:
    """From the front page by a category to a product and a size. Returns the product's name."""
    tab.open(home)
    tab.press(button("Menu"))
    tab.press("//nav//a[normalize-space()='Shirts']")
    tab.comes_to("/category/men/shirts")
    name = tab.shows(PIECE)
    tab.press(PIECE)
    tab.shows(heading(name))
    tab.press("//label[.//input[@type='radio'] and normalize-space()='M']")
    return name


def sign_up_on_the_way(tab: Tab, email: str) -> None:
    """The piece is kept for whoever makes an account."""
    tab.press(button("Add to Cart"))
    tab.press(f"//main{link('Sign up')}")
    tab.fill(field("Full name"), "Ada Lovelace")
    tab.fill(field("E-mail"), email)
    tab.fill(field("Password"), PASSWORD)
    tab.press(button("Get Started"))
    tab.shows("//header//a[starts-with(normalize-space(), 'Cart')][contains(., '1')]")


def go_to_checkout(tab: Tab) -> None:
    tab.press(f"//header{link('Cart')}")
    tab.press(link("Proceed to Checkout"))
    tab.press(link("Add New Address"))
    for label, words in ADDRESS.items():
        tab.fill(field(label), words)
    tab.press(button("Save Address"))
    tab.press(button("Proceed to Payment"))


def pay(tab: Tab) -> None:
    with tab.inside(FORM):
        card = {"Card number": CARD, "Expiry": "12 / 34", "CVC": "123", "Name on card": "Ada Lovelace", "ZIP": "12345"}
        for label, words in card.items():
            tab.fill(field(label), words)
        tab.press(button("Pay"))
    tab.shows(heading("Payment Successful!"))


def look_at_the_order(tab: Tab) -> str:
    """What the list of orders says of the only one."""
    tab.press(link("View Orders"))
    return tab.shows("//article")
