"""The looks: readers of the same events that the log holds."""
