"""The page about methods: its figure."""
