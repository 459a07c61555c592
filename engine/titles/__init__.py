"""The titles: each a file of facts (t….toml) and a small module of rules (t….py)."""
