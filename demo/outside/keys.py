"""What the stand-ins accept unless told otherwise. Imports nothing, so that the shop's command line may read it."""

STRIPE_SECRET_KEY = "sk_test_minimal"  # noqa: S105
STRIPE_WEBHOOK_SECRET = "whsec_minimal"  # noqa: S105
GOOGLE_CLIENT_ID = "minimal-demo.apps.googleusercontent.com"
GOOGLE_CERTS_PATH = "/google/certs"
STRIPE_SCRIPT_PATH = "/stripe.js"
GOOGLE_SCRIPT_PATH = "/google/gsi.js"
WEBHOOK_PATH = "/api/payment/webhook"
API_VERSION = "2026-10-28.endive"
