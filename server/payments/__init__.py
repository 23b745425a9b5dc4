"""Payments, refunds and disputes, by Stripe or its stand-in."""
