"""The mails of the shop: messages, rendering, the outbox, SMTP."""
