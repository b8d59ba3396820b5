"""The page for a robot of your own: its figure."""
