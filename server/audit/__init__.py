"""The audit log: who changed what in the back office."""
