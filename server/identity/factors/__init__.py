"""Second factors: passkeys, one-time codes, recovery codes, and the sign-in steps that use them."""
