"""The general vocabulary of commerce, office and computing, English and Chinese, in `concepts.json`."""
