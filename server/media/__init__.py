"""Images: decoding, derived sizes and formats, storage."""
