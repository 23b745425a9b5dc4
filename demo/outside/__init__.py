"""The outside world on one machine: stand-ins for Stripe, Google sign-in and a mail server.

`python -m demo.outside` is a process of its own that shares no code and no database with the shop. It keeps
its own ledger in `SHOP_DATA/outside` and commits before it answers, so that either side may be killed at any moment.

Settings (environment, each also an argument: `--port`, `--smtp-port`, `--data`, `--shop`):

    OUTSIDE_PORT              HTTP, on 127.0.0.1 only. Default: PORT + 1, which is 8001
    OUTSIDE_SMTP_PORT         SMTP, on 127.0.0.1 only. Default: OUTSIDE_PORT + 1
    SHOP_DATA                 the shop's folder. Default: .shop
    PUBLIC_URL                the shop's address. Default: http://localhost:PORT
    STANDIN_STRIPE_KEY        the only secret key accepted. Default: sk_test_minimal
    STANDIN_WEBHOOK_SECRET    signs the webhooks. Default: whsec_minimal
    STANDIN_GOOGLE_CLIENT_ID  audience of ID tokens. Default: minimal-demo.apps.googleusercontent.com

A taken port ends the process with exit code 2 and one line that says so. The constants are in `keys.py`, which
imports nothing and may be imported by the shop's command line.

How the shop connects, with BASE = http://localhost:OUTSIDE_PORT:

    stripe        StripeClient(key, base_addresses={"api": BASE}); API version 2026-10-28.endive only
    webhooks      POST {PUBLIC_URL}/api/payment/webhook, signed in Stripe-Signature, retried for three days
    payment page  script BASE/stripe.js in the place of https://js.stripe.com/…/stripe.js; `pk_test_minimal`
    Google        script BASE/google/gsi.js in the place of https://accounts.google.com/gsi/client;
                  certificates at BASE/google/certs ({kid: PEM}); issuer https://accounts.google.com
    mail          smtp://127.0.0.1:OUTSIDE_SMTP_PORT, no sign-in, no TLS
    CSP           script-src BASE; frame-src BASE. Nothing else: no connect-src, no style-src, no img-src.
                  COOP same-origin-allow-popups (or none) for the Google pop-up. Product pictures shown in the payment
                  page come from the shop, which must not send Cross-Origin-Resource-Policy: same-origin with them

The checkout frame is found by `iframe[title="Secure checkout"]`; its fields are labelled E-mail, Card number, Expiry,
CVC, Name on card, Country and ZIP (or Postal code), its button starts with Pay (Place order for a total of 0), and the
3-D Secure step is a dialog with the buttons Complete and Fail. Test cards are in `cards.py`. The Google
button opens a pop-up with one button per persona (New person, Existing shopper, Unverified e-mail, Same e-mail,
other account, Someone else).

For people: BASE/demo (index), BASE/demo/payments, BASE/demo/people, BASE/demo/faults, BASE/mail.

For scripts, JSON in and out; anything but GET needs `Content-Type: application/json`, and requests of foreign web
pages are refused:

    GET  /_health                                {"status": "ok"}
    POST /_control/sessions/{id}/pay             {"card": "4242424242424242", "authenticate": bool?, "email"?, "name"?}
                                                 200 {"session": …}; 402 {"error": …} when declined; 409 when not open
    POST /_control/sessions/{id}/expire          at once, as if its time had come
    POST /_control/payments/{pi}/refund          {"amount": cents?}  as if done in the dashboard
    POST /_control/payments/{pi}/dispute         {"reason": "fraudulent"?}
    POST /_control/payments/{pi}/settle          {}  a processing payment comes to its end now
    GET  /_control/ledger                        {"sessions", "payments", "charges", "refunds", "disputes", "events"},
                                                 oldest first; an event carries "deliveries", each with "attempts"
    GET  /_control/webhooks
    POST /_control/webhooks                      {"duplicate": n, "shuffle": bool, "delay_ms": n, "drop": bool}; absent
                                                 keys go back to rest. duplicate: n extra copies of each event, sent
                                                 at once with the first; shuffle: each delivery waits a random time, at
                                                 most 600 ms; drop: events are stored but never sent
    POST /_control/events/{id}/resend            sends an event once more, dropped ones too
    GET  /_control/mail?to=address               [{"id", "message_id", "from", "to", "subject", "date", "text", "html",
                                                 "headers", "received_at"}], newest first; repeats are kept
    POST /_control/google/token                  {"claims"?: {…}, "key"?: "current" | "other" | "retired",
                                                 "alg"?: "RS256" | "none" | "HS256", "kid"?: …} gives {"token"};
                                                 a claim set to null is left out
    POST /_control/google/rotate                 {"forget": bool?}  a new key signs; forget takes the old ones away
    GET  /_control/faults
    POST /_control/faults                        {"kind", "count", "path"?: "/v1/refunds", "method"?, "delay_ms"?}
                                                 for the next n matching calls; kinds in `faults.py`; {} ends all
    POST /_control/settings                      {"settle_after_ms": n}  how long a processing payment takes (3000)
    POST /_control/reset                         forgets everything but the keys
"""
