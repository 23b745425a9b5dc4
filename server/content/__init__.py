"""Pages that the owner writes: blocks, drafts, versions and publication."""
