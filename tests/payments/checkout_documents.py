"""GraphQL documents of a purchase."""

CART = """
  query { viewer { cart { id count subtotal canCheckOut lines {
    id quantity price unitPrice total priceWhenAdded problem
    variant { id stock inStock size color { name } } product { id name } image { url(width: 360) alt }
  } } } }
"""
ADD = """
  mutation ($variant: ID!, $quantity: Int! = 1) { addToCart(variantId: $variant, quantity: $quantity) {
    __typename ... on Cart { count subtotal } ... on UserError { message field } ... on OutOfStock { available }
  } }
"""
START = """
  mutation ($address: ID) { startCheckout(addressId: $address) {
    __typename ... on Checkout { id clientSecret sessionId total expiresAt }
    ... on UserError { message } ... on CartNotReady { cart { count } }
  } }
"""
QUOTES = """
  mutation { startCheckout { ... on Checkout { sessionId total quote {
    address { name address1 } subtotal discount delivery { price } tax { amount } total
  } } } }
"""
OF_SESSION = "query ($session: ID!) { viewer { orderOfSession(sessionId: $session) { number } } }"
COMPLETE = """
  mutation ($session: ID!) { completeCheckout(sessionId: $session) {
    __typename ... on UserError { message }
    ... on CheckoutCompleted { cart { count } order {
      id number paymentStatus totalAmount refundedAmount shippingAddress { name address1 postalCode }
      lines { name color size quantity price total productId image { alt } }
    } }
  } }
"""
