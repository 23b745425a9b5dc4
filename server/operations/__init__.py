"""What the people who run the shop need to see of it: today the work in the background that failed."""
