"""Second factors: passkeys, one-time codes, recovery codes, and the steps of a sign-in that they take part in."""
