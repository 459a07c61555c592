"""The table of commands: one module per topic, each with its entries and what does them."""
